package io.neardup.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.docs.GeneratedTable;
import io.neardup.engine.text.CommonSets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file and the table tell what the definition says. Run with {@code -Dsettings.write=true} to renew both. */
class ConfigDocumentationTest {
    private static final Path FILE = Path.of("config/neardup.properties");
    private static final Path CHAPTER = Path.of("src/docs/settings.md");
    private static final int COLUMNS_MAX = 120;
    private static final Pattern ENTRY =
            Pattern.compile("(?<meaning>(?:# .*\\n)+)(?<off>#?)(?<key>[a-z0-9.-]+)=(?<value>.*)\\n");

    @Test
    void shouldHaveEveryKeyWithItsMeaningAndDefaultInTheFile() throws IOException {
        String file = Files.readString(FILE);
        Map<String, Matcher> entries = new LinkedHashMap<>();
        Matcher matcher = ENTRY.matcher(file);
        while (matcher.find()) {
            entries.put(matcher.group("key"), ENTRY.matcher(matcher.group()));
        }
        if (Boolean.getBoolean("settings.write")) {
            Files.writeString(FILE, renewed(file, entries));
            return;
        }

        assertThat(entries.keySet()).containsExactlyElementsOf(Keys.names());
        for (Keys.Key<?> key : Keys.all()) {
            Matcher entry = Objects.requireNonNull(entries.get(key.name()));
            assertThat(entry.matches()).isTrue();
            assertEntry(key, entry);
        }
    }

    /** What stands before the first key is kept, and so are the examples of keys without a default. */
    private static String renewed(String file, Map<String, Matcher> entries) {
        StringBuilder renewed = new StringBuilder(file.substring(0, file.indexOf("\n\n") + 1));
        for (Keys.Key<?> key : Keys.all()) {
            Matcher entry = entries.get(key.name());
            String example = entry != null && entry.matches() ? entry.group("value") : "";
            renewed.append('\n').append(comment(key.meaning())).append('\n');
            renewed.append(comment(facts(key))).append('\n');
            renewed.append(
                    key.defaultValue() == null
                            ? "#" + key.name() + "=" + example
                            : key.name() + "=" + key.defaultValue());
            renewed.append('\n');
        }
        return renewed.toString();
    }

    /** For whom it is, whether an index is bound to it, and what it takes: lines of their own. */
    private static String facts(Keys.Key<?> key) {
        return "[" + key.facts() + "] " + key.type().description();
    }

    /** As many words on a line as fit. */
    private static String comment(String meaning) {
        StringBuilder lines = new StringBuilder();
        StringBuilder line = new StringBuilder("#");
        for (String word : meaning.split(" ", -1)) {
            if (line.length() + 1 + word.length() > COLUMNS_MAX) {
                lines.append(line).append('\n');
                line.replace(0, line.length(), "#");
            }
            line.append(' ').append(word);
        }
        return lines.append(line).toString();
    }

    private static void assertEntry(Keys.Key<?> key, Matcher entry) {
        assertThat(entry.group("meaning").replaceAll("\\n?# ", " ").strip())
                .isEqualTo(key.meaning() + " " + facts(key));
        if (key.defaultValue() == null) {
            assertThat(entry.group("off")).as(key.name()).isEqualTo("#");
        } else {
            assertThat(entry.group("off")).as(key.name()).isEmpty();
            assertThat(entry.group("value")).isEqualTo(key.defaultValue());
        }
    }

    @Test
    void shouldLoadTheFileAsTheDefaults() {
        NeardupConfig loaded = NeardupConfig.of(new Settings().file(FILE));

        assertThat(loaded).hasToString(NeardupConfig.of(new Settings()).toString());
        assertThat(loaded.warnings()).isEmpty();
    }

    @Test
    void shouldAcceptTheExamplesThatAreCommentedOut(@TempDir Path folder) throws IOException {
        Path boilerplate = Files.writeString(folder.resolve("boilerplate.tsv"), CommonSets.file("char:9"));
        Path publishers = Files.writeString(folder.resolve("publishers.tsv"), "dpa feed\tdpa\n");
        List<String> pairs = Files.readAllLines(FILE).stream()
                .filter(line -> line.matches("#[a-z0-9.-]+=.*"))
                .map(line -> line.substring(1)
                        .replace("=boilerplate.tsv", "=" + boilerplate)
                        .replace("=publishers.tsv", "=" + publishers))
                .toList();

        assertThat(NeardupConfig.forCluster(new Settings().pairs(pairs)).hashSeed())
                .isPresent();
    }

    @Test
    void shouldHaveTheTableInTheChapter() throws IOException {
        GeneratedTable.check(CHAPTER, "keys", KeysTable.ofAll(), getClass());
    }
}
