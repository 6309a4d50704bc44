package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.engine.similarity.Similarity;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Position;
import io.neardup.record.Verdict.Repeated;
import io.neardup.record.VerdictCodec;
import io.neardup.testing.VerdictStories;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiffCommandTest extends CommandTest {
    @TempDir
    private Path folder;

    private String first = "";
    private String second = "";

    private static Verdict verdict(long offset, String id, @Nullable Repeated repeated) {
        Position position = new Position("documents", 0, offset);
        return VerdictStories.verdict(position, id, repeated, "0123456789abcdef", "Herald", 0);
    }

    private String write(String name, Verdict... verdicts) throws IOException {
        Path file = folder.resolve(name);
        try (OutputStream raw = Files.newOutputStream(file);
                OutputStream out = name.endsWith(".gz") ? new GZIPOutputStream(raw) : raw) {
            for (Verdict verdict : verdicts) {
                out.write(VerdictCodec.encode(verdict));
                out.write('\n');
            }
        }
        return file.toString();
    }

    @BeforeEach
    void writeVerdicts() throws IOException {
        Repeated ofA = new Repeated("a", null, Similarity.of(0.78), null);
        first = write("one.jsonl", verdict(0, "a", null), verdict(1, "b", ofA), verdict(2, "c", null));
        second = write("two.jsonl.gz", verdict(0, "a", null), verdict(1, "b", null));
    }

    @Test
    void shouldTellWhereTwoFilesPartAndShowTextsOfTheFilesGiven() throws IOException {
        Path documents = folder.resolve("news.jsonl");
        Files.writeString(documents, """
            {"id":"a","text":"A fire in the harbour"}
            {"id":"b","text":"A blaze in the harbour"}
            """, UTF_8);

        assertThat(words(printed("diff", first, second, "--documents", documents.toString())))
                .contains("2 records were judged by both")
                .contains("50.00 % duplicate in A, unique in B")
                .contains("a.unmatched 1")
                .contains("0.75 to 0.80")
                .contains("Herald")
                .contains("A duplicate of a, similarity 0.7800 B unique")
                .contains("A fire in the harbour")
                .contains("A blaze in the harbour");
    }

    @Test
    void shouldTellAllElseWhereTextsCannotBeRead() throws IOException {
        Path documents = folder.resolve("news.jsonl.gz");
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(whole)) {
            out.write("{\"id\":\"z\",\"text\":\"Another fire in the harbour\"}\n"
                    .repeat(2_000)
                    .getBytes(UTF_8));
        }
        Files.write(documents, Arrays.copyOf(whole.toByteArray(), whole.size() / 2));

        assertThat(words(printed("diff", first, second, "--documents", documents.toString())))
                .contains("2 records were judged by both")
                .contains("Texts are missing below: " + documents)
                .contains("A duplicate of a, similarity 0.7800");
    }

    @Test
    void shouldPrintJson() throws IOException {
        JsonNode json = json("diff", first, second, "--json");

        assertThat(json.at("/all/records").asLong()).isEqualTo(2);
        assertThat(json.at("/all/duplicate-in-a").asLong()).isEqualTo(1);
        assertThat(json.at("/a/settings/0123456789abcdef").asLong()).isEqualTo(2);
        assertThat(json.at("/a/unmatched").asLong()).isEqualTo(1);
        assertThat(json.at("/similarity/0/from").asDouble()).isEqualTo(0.75);
        assertThat(json.at("/sources/0/source").asText()).isEqualTo("Herald");
        assertThat(json.at("/examples/0/a/duplicateOf").asText()).isEqualTo("a");
        assertThat(json.at("/examples/0/agreement").asText()).isEqualTo("duplicate-in-a");
    }

    /** What stands behind a file of verdicts, in which @ is one of something else. */
    @ParameterizedTest
    @CsvSource({
        "no-such-topic, 2, 'no-such-topic: expected a file of verdicts, found none; for a topic give'",
        "@, 1, broken.jsonl:1: expected a verdict with",
        "= --since 7d, 2, --since"
    })
    void shouldRefuse(String rest, int exit, String message) throws IOException {
        Path broken = Files.writeString(folder.resolve("broken.jsonl"), "{\"id\":\"a\"}\n", UTF_8);
        String line = rest.replace("@", broken.toString()).replace("=", second);

        assertThat(execute(("diff " + first + " " + line).split(" ", -1))).isEqualTo(exit);

        assertThat(err.toString()).contains(message);
    }
}
