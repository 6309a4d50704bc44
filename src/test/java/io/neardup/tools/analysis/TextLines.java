package io.neardup.tools.analysis;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;
import io.neardup.record.Document;
import io.neardup.record.RawText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
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
        return () -> new DocumentLines(List.of("-"), new ByteArrayInputStream(bytes), CONFIG);
    }

    /** Tuned by the convention of the default settings. */
    static Tuning tune(List<String> texts) throws IOException {
        TuningTargets targets = targets("char:9", OptionalLong.empty());
        return new Tuner(of(texts), targets, Integer.MAX_VALUE, text -> {}).tune();
    }

    static TuningTargets targets(String shingle, OptionalLong indexSize) {
        return new TuningTargets(new Shingling(LetterCase.LOWER, shingle), 0.7, 0.02, 0.99, indexSize);
    }

    static List<ShingleSet> sets(List<ComparedText> texts, Shingler shingler) {
        Shingles buffer = new Shingles();
        return texts.stream().map(text -> text.shingles(shingler, buffer)).toList();
    }

    /** With ids from d0 on. */
    static List<Document> documents(List<String> texts) {
        return IntStream.range(0, texts.size())
                .mapToObj(i -> new Document("d" + i, RawText.of(texts.get(i)), ""))
                .toList();
    }

    static List<ComparedText> texts(List<String> texts) {
        return IntStream.range(0, texts.size())
                .mapToObj(i -> new ComparedText(i, "id" + i, texts.get(i).getBytes(StandardCharsets.UTF_8)))
                .toList();
    }
}
