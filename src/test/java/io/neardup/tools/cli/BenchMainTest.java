package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
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

    /** A line of the terminal, in which @ is a file that is not there. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            '' | Missing required subcommand
            service --documents 999 | --documents: expected 1000 to
            service --duplicates 1 | --duplicates: expected a share from 0 to below 1
            service --index-sizes 5m,1m | --index-sizes: expected rising numbers, found 5m,1m
            service --index-sizes many | --index-sizes: expected numbers such as 50000, 100k or 5m, found many
            service --spread --index-sizes 100k | --spread and --index-sizes: expected one of them
            service --set neardup.outputs=verdicts | neardup.outputs
            service --input @ | missing
            service --config @ | missing
            service --png @/rates.png | missing
            """)
    void shouldRefuse(String line, String message, @TempDir Path folder) {
        String missing = folder.resolve("missing").toString();
        String[] words =
                line.isEmpty() ? new String[0] : line.replace("@", missing).split(" ", -1);

        assertThat(refused(words)).contains(message).doesNotContain("\tat ", "unexpected");
    }

    @Test
    void shouldReadNumbersAsPeopleWriteThem() {
        assertThat(IndexSizes.parse(List.of("50000", "100k", " 5M"))).containsExactly(50_000L, 100_000L, 5_000_000L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "1.5m", "5g", "many", "101m", "9999999999"})
    void shouldRefuseWhatIsNoSize(String size) {
        assertThatThrownBy(() -> IndexSizes.parse(List.of(size)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("expected");
    }
}
