package io.neardup.tools.analysis;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Texts as a file of JSON lines, and as what is read from it. */
final class TextLines {
    private static final NeardupConfig CONFIG = NeardupConfig.of(new Settings());

    private TextLines() {}

    static DocumentLines.Source of(List<String> texts) {
        String lines =
                texts.stream().map(text -> "{\"text\":\"" + text + "\"}\n").collect(Collectors.joining());
        byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
        return () -> new DocumentLines("-", new ByteArrayInputStream(bytes), CONFIG);
    }

    static List<ComparedText> texts(List<String> texts) {
        return IntStream.range(0, texts.size())
                .mapToObj(i -> new ComparedText(i, "id" + i, texts.get(i).getBytes(StandardCharsets.UTF_8)))
                .toList();
    }
}
