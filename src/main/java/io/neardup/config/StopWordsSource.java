package io.neardup.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.engine.text.StopWords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where stop words come from: languages separated by commas, or a file, whose path has a slash or a dot. */
final class StopWordsSource {
    private static final String COMMENT = "#";
    /** Some editors begin a file of UTF-8 with it. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private StopWordsSource() {}

    /** Whether the value is the path of a file, which is not looked at, or known languages. */
    static boolean isValid(String value) {
        return isFile(value) || StopWords.languages().containsAll(List.of(languages(value)));
    }

    /**
     * The stop words.
     *
     * @throws IOException when the file cannot be read
     * @throws IllegalArgumentException when it is no path, or a line of the file no word
     */
    static StopWords read(String value) throws IOException {
        return isFile(value) ? ofFile(Path.of(value)) : StopWords.of(languages(value));
    }

    private static StopWords ofFile(Path file) throws IOException {
        List<String> lines = Files.readString(file, UTF_8)
                .replace(BYTE_ORDER_MARK, "")
                .lines()
                .toList();
        return StopWords.of(lines.stream()
                .filter(line -> !line.startsWith(COMMENT) && !line.isBlank())
                .toList());
    }

    private static boolean isFile(String value) {
        return value.contains("/") || value.contains(".");
    }

    private static String[] languages(String value) {
        return value.strip().split("\\s*,\\s*", -1);
    }
}
