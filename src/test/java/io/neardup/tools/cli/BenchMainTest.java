package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class BenchMainTest extends CommandTest {
    @Override
    CommandLine commandLine() {
        return BenchMain.commandLine();
    }

    /** A line of the terminal, in which @ is a file that is not there. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | expected a command: service or jmh",
                "jmh SignBenchmark --no-such-option | no-such-option",
                "service --documents 999 | --documents: expected 1000 to",
                "service --bytes 599 | --bytes: expected 600 to",
                "service --duplicates 1 | --duplicates: expected a share from 0 to below 1",
                "service --partitions 0 | --partitions: expected 1 to",
                "service --rounds 0 | --rounds: expected 1 to",
                "service --warm-up -1 | --warm-up: expected 0 to",
                "service --latency -1 | --latency: expected 0 to",
                "service --index-sizes 5m,1m | --index-sizes: expected rising numbers, found 5m,1m",
                "service --index-sizes many | --index-sizes: expected numbers such as 50000, 100k or 5m, found many",
                "service --spread --index-sizes 100k | --spread and --index-sizes: expected one of them",
                "service --set neardup.outputs=verdicts | neardup.outputs",
                "service --input @ | missing",
                "service --config @ | missing",
                "service --png @/rates.png | missing"
            })
    void shouldRefuse(String line, String message, @TempDir Path folder) {
        String missing = folder.resolve("missing").toString();
        String[] words =
                line.isEmpty() ? new String[0] : line.replace("@", missing).split(" ", -1);

        assertThat(refused(words)).contains(message).doesNotContain("\tat ", "unexpected");
    }
}
