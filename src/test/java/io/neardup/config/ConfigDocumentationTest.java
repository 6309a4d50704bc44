package io.neardup.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.docs.GeneratedTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
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
        Map<String, ConfigKey> keys = Keys.definition().configKeys();
        if (Boolean.getBoolean("settings.write")) {
            Files.writeString(FILE, renewed(file, entries, keys.values()));
            return;
        }

        assertThat(entries.keySet()).containsExactlyElementsOf(keys.keySet());
        entries.forEach((key, entry) -> {
            assertThat(entry.matches()).isTrue();
            assertEntry(Objects.requireNonNull(keys.get(key)), entry);
        });
    }

    /** What stands before the first key is kept, and so are the examples of keys without a default. */
    private static String renewed(String file, Map<String, Matcher> entries, Collection<ConfigKey> keys) {
        StringBuilder renewed = new StringBuilder(file.substring(0, file.indexOf("\n\n") + 1));
        for (ConfigKey key : keys) {
            Matcher entry = entries.get(key.name);
            String example = entry != null && entry.matches() ? entry.group("value") : "";
            renewed.append('\n').append(comment(key.documentation)).append('\n');
            renewed.append(
                    key.defaultValue == null
                            ? "#" + key.name + "=" + example
                            : key.name + "=" + Expected.written(key.defaultValue));
            renewed.append('\n');
        }
        return renewed.toString();
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

    private static void assertEntry(ConfigKey key, Matcher entry) {
        assertThat(entry.group("meaning").replaceAll("\\n?# ", " ").strip()).isEqualTo(key.documentation);
        if (key.defaultValue == null) {
            assertThat(entry.group("off")).as(key.name).isEqualTo("#");
        } else {
            assertThat(entry.group("off")).as(key.name).isEmpty();
            assertThat(entry.group("value")).isEqualTo(Expected.written(key.defaultValue));
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
        Path common = Files.writeString(
                folder.resolve("common.tsv"),
                "# version=1\n# shingle=char:9\n# case=lower\n# documents=20\n# clusters=20\n# share=0.05\n");
        List<String> pairs = Files.readAllLines(FILE).stream()
                .filter(line -> line.matches("#[a-z0-9.-]+=.*"))
                .map(line -> line.substring(1).replace("=common.tsv", "=" + common))
                .toList();

        assertThat(NeardupConfig.forCluster(new Settings().pairs(pairs)).hashSeed())
                .isPresent();
    }

    @Test
    void shouldHaveTheTableInTheChapter() throws IOException {
        GeneratedTable.check(CHAPTER, "keys", ConfigTable.render(), getClass());
    }
}
