package io.neardup.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.docs.GeneratedTable;
import io.neardup.engine.text.CommonSets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file and the table tell what the definition says. Run with {@code -Dsettings.write=true} to renew the table. */
class ConfigDocumentationTest {
    private static final Path CHAPTER = Path.of("src/docs/settings.md");

    @Test
    void shouldHaveEveryKeyWithItsMeaningAndDefaultInTheFile() {
        Map<String, Matcher> entries = KeysTable.entries();

        assertThat(entries.keySet()).containsExactlyElementsOf(Keys.names());
        for (Keys.Key<?> key : Keys.all()) {
            Matcher entry = Objects.requireNonNull(entries.get(key.name()));
            assertThat(KeysTable.text(entry.group("facts")))
                    .isEqualTo("[" + key.facts() + "] " + key.type().description());
            assertThat(entry.group("off")).as(key.name()).isEqualTo(key.defaultValue() == null ? "#" : "");
            if (key.defaultValue() != null) {
                assertThat(entry.group("value")).isEqualTo(key.defaultValue());
            }
        }
    }

    @Test
    void shouldLoadTheFileAsTheDefaults() {
        NeardupConfig loaded = NeardupConfig.of(new Settings().file(KeysTable.FILE));

        assertThat(loaded).hasToString(NeardupConfig.of(new Settings()).toString());
        assertThat(loaded.warnings()).isEmpty();
    }

    @Test
    void shouldAcceptTheExamplesThatAreCommentedOut(@TempDir Path folder) throws IOException {
        Path boilerplate = Files.writeString(folder.resolve("boilerplate.tsv"), CommonSets.file("char:9"));
        Path publishers = Files.writeString(folder.resolve("publishers.tsv"), "dpa feed\tdpa\n");
        List<String> pairs = Files.readAllLines(KeysTable.FILE).stream()
                .filter(line -> line.matches("#[a-z0-9.-]+=.*"))
                .filter(line -> !line.startsWith("#neardup.simhash.")) // These are for another signature.
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
