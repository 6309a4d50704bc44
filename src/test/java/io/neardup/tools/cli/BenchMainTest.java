package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class BenchMainTest extends CommandTest {
    @Override
    CommandLine commandLine() {
        return BenchMain.commandLine();
    }

    @ParameterizedTest
    @ValueSource(strings = {"service", "jmh"})
    void shouldHelpWithAnExample(String command) {
        assertThat(execute(command, "--help")).isZero();
        assertThat(out.toString()).contains("Example").contains("java -jar neardup-bench.jar " + command);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void shouldListItsCommandsAndNotItsOwnProcesses() {
        assertThat(execute("--help")).isZero();
        assertThat(out.toString()).contains("service", "jmh", "Exit codes").doesNotContain("worker", "broker");
    }

    @Test
    void shouldRefuseNoCommand() {
        assertThat(execute()).isEqualTo(2);
        assertThat(err.toString()).contains("expected a command: service or jmh");
    }

    @Test
    void shouldRefuseAnOptionThatJmhDoesNotHave() {
        assertThat(execute("jmh", "SignBenchmark", "--no-such-option")).isEqualTo(2);
        assertThat(err.toString()).contains("no-such-option").doesNotContain("\tat ");
    }

    @ParameterizedTest
    @CsvSource({
        "--documents, 999, 'expected 1000 to'",
        "--bytes, 599, 'expected 600 to'",
        "--duplicates, 1, 'expected a share from 0 to below 1'",
        "--partitions, 0, 'expected 1 to'",
        "--rounds, 0, 'expected 1 to'",
        "--warm-up, -1, 'expected 0 to'",
        "--latency, -1, 'expected 0 to'",
        "--index-sizes, '5m,1m', 'expected rising numbers, found 5m,1m'",
        "--index-sizes, many, 'expected numbers such as 50000, 100k or 5m, found many'",
    })
    void shouldRefuseABenchmarkThatCannotBe(String option, String value, String message) {
        assertThat(execute("service", option, value)).isEqualTo(2);
        assertThat(err.toString()).contains(option + ": " + message).doesNotContain("\tat ");
    }

    @Test
    void shouldRefuseTwoBenchmarksAtOnce() {
        assertThat(execute("service", "--spread", "--index-sizes", "100k")).isEqualTo(2);
        assertThat(err.toString()).contains("--spread and --index-sizes: expected one of them");
    }

    @Test
    void shouldRefuseToRunWithoutRecords() {
        assertThat(execute("service", "--set", "neardup.outputs=verdicts")).isEqualTo(2);
        assertThat(err.toString()).contains("neardup.outputs").doesNotContain("\tat ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--input @", "--config @", "--png @/rates.png"})
    void shouldNameAFileThatIsNotThere(String line, @TempDir Path folder) {
        String[] words =
                ("service " + line.replace("@", folder.resolve("missing").toString())).split(" ", -1);

        assertThat(execute(words)).isEqualTo(2);

        assertThat(err.toString())
                .contains(folder.resolve("missing").toString())
                .doesNotContain("\tat ", "unexpected");
    }

    @Test
    void shouldNameAFolderInPlaceOfAFileOfSettings(@TempDir Path folder) throws IOException {
        Path other = Files.createDirectory(folder.resolve("folder"));

        assertThat(execute("service", "--config", other.toString())).isEqualTo(2);

        assertThat(err.toString()).contains(other.toString()).doesNotContain("\tat ", "unexpected");
    }
}
