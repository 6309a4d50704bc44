package io.neardup.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The settings with what the shipped file says of them, for the chapter on them. */
public final class KeysTable {
    static final Path FILE = Path.of("config/neardup.properties");

    /** Behind the meaning a line that begins with a bracket says for whom it is, and what it takes. */
    private static final Pattern ENTRY =
            Pattern.compile("(?<meaning>(?:# [^\\[].*\\n)+)(?<facts># \\[.*\\n(?:# .*\\n)*)"
                    + "(?<off>#?)(?<key>[a-z0-9.-]+)=(?<value>.*)\\n");

    private KeysTable() {}

    /** The entries of the file by key. */
    static Map<String, Matcher> entries() {
        try {
            Map<String, Matcher> entries = new LinkedHashMap<>();
            Matcher all = ENTRY.matcher(Files.readString(FILE));
            while (all.find()) {
                Matcher entry = ENTRY.matcher(all.group());
                entry.matches();
                entries.put(all.group("key"), entry);
            }
            return entries;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lines of a comment as one. */
    static String text(String comment) {
        return comment.replaceAll("\\n?# ", " ").strip();
    }

    /** All settings as a table in Markdown; ends with a line feed. */
    public static String ofAll() {
        StringBuilder table = new StringBuilder("| key | default | value | for | meaning |\n|---|---|---|---|---|\n");
        Map<String, Matcher> entries = entries();
        for (Keys.Key<?> key : Keys.all()) {
            String defaultValue = key.defaultValue() == null ? "" : "`" + key.defaultValue() + "`";
            String meaning =
                    text(Objects.requireNonNull(entries.get(key.name())).group("meaning"));
            String row = String.join(
                    " | ", "`" + key.name() + "`", defaultValue, key.type().description(), key.facts());
            table.append("| " + row + " | " + meaning.replace("|", "\\|") + " |\n");
        }
        return table.toString();
    }
}
