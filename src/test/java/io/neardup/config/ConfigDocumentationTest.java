package io.neardup.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.docs.Chapter;
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

/** The file and the table tell what the definition says. Run with {@code -Dsettings.write=true} to renew the table. */
public class ConfigDocumentationTest {
    private static final Path CHAPTER = Path.of("src/docs/settings.md");
    private static final Path FILE = Path.of("config/neardup.properties");

    /** Behind the meaning a line that begins with a bracket says for whom it is, and what it takes. */
    private static final Pattern ENTRY =
            Pattern.compile("(?<meaning>(?:# [^\\[].*\\n)+)(?<facts># \\[.*\\n(?:# .*\\n)*)"
                    + "(?<off>#?)(?<key>[a-z0-9.-]+)=(?<value>.*)\\n");

    @Test
    void shouldHaveEveryKeyWithItsMeaningAndDefaultInTheFile() throws IOException {
        Map<String, Matcher> entries = entries();

        assertThat(entries.keySet()).containsExactlyElementsOf(Keys.names());
        for (Keys.Key<?> key : Keys.all()) {
            Matcher entry = Objects.requireNonNull(entries.get(key.name()));
            assertThat(text(entry.group("facts")))
                    .isEqualTo("[" + key.facts() + "] " + key.type().description());
            assertThat(entry.group("off")).as(key.name()).isEqualTo(key.defaultValue() == null ? "#" : "");
            if (key.defaultValue() != null) {
                assertThat(entry.group("value")).isEqualTo(key.defaultValue());
            }
        }
    }

    @Test
    void shouldLoadTheFile() {
        NeardupConfig loaded = NeardupConfig.of(new Settings().file(FILE));

        assertThat(loaded.kafka()).isEqualTo(NeardupConfig.of(new Settings()).kafka());
        assertThat(loaded.warnings()).isEmpty();
    }

    @Test
    void shouldAcceptTheExamplesThatAreCommentedOut(@TempDir Path folder) throws IOException {
        Path boilerplate = Files.writeString(folder.resolve("boilerplate.tsv"), CommonSets.file("char:9"));
        Path publishers = Files.writeString(folder.resolve("publishers.tsv"), "dpa feed\tdpa\n");
        List<String> pairs = Files.readAllLines(FILE).stream()
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
        Chapter.read(CHAPTER).requireTable("keys", table(), getClass());
    }

    // ---- what the shipped file says of the settings

    /** The entries of the file by key. */
    private static Map<String, Matcher> entries() throws IOException {
        Map<String, Matcher> entries = new LinkedHashMap<>();
        Matcher all = ENTRY.matcher(Files.readString(FILE));
        while (all.find()) {
            Matcher entry = ENTRY.matcher(all.group());
            entry.matches();
            entries.put(all.group("key"), entry);
        }
        return entries;
    }

    /** Lines of a comment as one. */
    private static String text(String comment) {
        return comment.replaceAll("\\n?# ", " ").strip();
    }

    /** All settings as a table in Markdown; ends with a line feed. */
    public static String table() throws IOException {
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
