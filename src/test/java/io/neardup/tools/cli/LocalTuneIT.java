package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code local FILE --tune}. */
@Timeout(120)
class LocalTuneIT extends CommandTest {
    @Test
    void shouldRunWithWhatItProposes(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("documents.jsonl"), TuneCommandTest.documentsAndCopies());

        List<String> lines = printed("local", file.toString(), "--tune").lines().toList();

        assertThat(lines).first().asString().startsWith("The documents part:");
        assertThat(lines)
                .anyMatch(line -> line.startsWith("neardup.similarity.threshold="))
                .anyMatch(line -> line.startsWith("neardup.banding="))
                .anyMatch(line -> line.matches("duplicates +40"));
    }

    /** Of the standard input, with what is solved for the threshold left to the service. */
    @Test
    void shouldSetOverWhatItProposes() {
        String documents = String.join("\n", TuneCommandTest.documentsAndCopies());
        String command = "local - --tune --set neardup.similarity.threshold=0.99";
        int exit = executeWithInput(new ByteArrayInputStream(documents.getBytes(UTF_8)), command.split(" ", -1));

        assertThat(exit).as(err.toString()).isZero();
        assertThat(out.toString().lines())
                .anyMatch(line -> line.startsWith("neardup.shingle="))
                .anyMatch(line -> line.matches("documents +120"))
                .anyMatch(line -> line.matches("duplicates +0"))
                .noneMatch(
                        line -> line.startsWith("neardup.similarity.threshold") || line.startsWith("neardup.banding"));
    }
}
