package io.neardup.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tiny benchmarks: whether they come to an end with all documents, not how fast. */
class BenchIT {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldReportConsistentCounts(@TempDir Path folder) throws Exception {
        Path chart = folder.resolve("rates.png");

        JsonNode report = bench("--documents", "3000", "--latency", "2", "--png", chart.toString());

        assertThat(report.get("documents").asInt()).isEqualTo(3_000);
        assertThat(report.get("unique").asInt() + report.get("duplicates").asInt())
                .isEqualTo(3_000);
        assertThat(report.get("duplicates").asDouble() / 3_000).isBetween(0.25, 0.35);
        assertThat(report.get("deadLetters").asInt()).isZero();
        assertThat(report.fieldNames()).toIterable().contains("ratio", "cpuRatio", "allocatedBytesPerDocument");
        for (String figure : new String[] {
            "documentsPerSecond", "memoryBytesPerOriginal", "diskBytesPerOriginal", "changelogBytesPerOriginal"
        }) {
            assertThat(report.get(figure).asDouble()).describedAs(figure).isPositive();
        }
        assertThat(report.at("/passthrough/documentsPerSecond").asDouble()).isPositive();
        assertThat(report.get("latency")).hasSize(3);
        assertThat(report.get("rounds")).hasSize(2);
        assertThat(chart).isNotEmptyFile();
    }

    @Test
    void shouldGrowTheIndexToTheSizesAskedFor() throws Exception {
        JsonNode report = bench("--documents", "2000", "--index-sizes", "1k,3k");

        assertThat(report.at("/sizes/0/originals").asInt()).isBetween(1_000, 2_000);
        assertThat(report.at("/sizes/1/originals").asInt()).isBetween(3_000, 5_000);
        assertThat(report.at("/restart/cleanSeconds").asDouble()).isPositive();
        assertThat(report.at("/restart/killedSeconds").asDouble()).isPositive();
    }

    private JsonNode bench(String... more) throws Exception {
        String[] arguments = new String[more.length + 6];
        System.arraycopy(new String[] {"bench", "--json", "--rounds", "1", "--warm-up", "1"}, 0, arguments, 0, 6);
        System.arraycopy(more, 0, arguments, 6, more.length);
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        assertThat(command.execute(arguments)).describedAs(err.toString()).isZero();
        return new ObjectMapper().readTree(out.toString());
    }
}
