package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code local FILE --tune}. */
@Timeout(120)
class LocalTuneIT extends CommandTest {
    @Test
    void shouldRunWithWhatItProposes(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("documents.jsonl"), documents());

        List<String> lines = printed("local", file.toString(), "--tune").lines().toList();

        assertThat(lines).first().asString().startsWith("The documents part:");
        assertThat(lines)
                .anyMatch(line -> line.startsWith("neardup.similarity.threshold="))
                .anyMatch(line -> line.startsWith("neardup.banding="))
                .anyMatch(line -> line.matches("duplicates +100"));
    }

    /** Of the standard input, with what is solved for the threshold left to the service. */
    @Test
    void shouldSetOverWhatItProposes() {
        int exit = executeWithInput(
                new ByteArrayInputStream(documents().getBytes(UTF_8)),
                "local",
                "-",
                "--tune",
                "--set",
                "neardup.similarity.threshold=0.99");

        assertThat(exit).as(err.toString()).isZero();
        assertThat(out.toString().lines())
                .anyMatch(line -> line.startsWith("neardup.shingle="))
                .anyMatch(line -> line.matches("documents +200"))
                .anyMatch(line -> line.matches("duplicates +0"))
                .noneMatch(
                        line -> line.startsWith("neardup.similarity.threshold") || line.startsWith("neardup.banding"));
    }

    @Test
    void shouldRefuseToTuneOnNothing() {
        assertThat(refused("local", "--tune")).contains("--tune: expected a FILE to tune on, found none");
    }

    /** Of words of their own, and of each an edited copy. */
    private static String documents() {
        SplittableRandom random = new SplittableRandom(1);
        List<String> lines = new ArrayList<>();
        for (int id = 0; id < 100; id++) {
            List<String> words = new ArrayList<>(
                    IntStream.range(0, 40).mapToObj(i -> word(random)).toList());
            lines.add(line(id, words));
            for (int word = id % 7; word < words.size(); word += 8) {
                words.set(word, word(random));
            }
            lines.add(line(1_000 + id, words));
        }
        return String.join("\n", lines);
    }

    private static String word(SplittableRandom random) {
        return random.ints(5, 'a', 'z' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static String line(int id, List<String> words) {
        return words.stream().collect(Collectors.joining(" ", "{\"id\":" + id + ",\"text\":\"", "\"}"));
    }
}
