package io.neardup.tools.cli;

import static io.neardup.testing.World.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.testing.OwnThread;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

/** Tiny benchmarks: whether they come to an end with all documents, not how fast. */
@Tag("bench")
class BenchIT extends CommandTest {
    @Override
    CommandLine commandLine() {
        return BenchMain.commandLine();
    }

    @Test
    void shouldReportConsistentCounts(@TempDir Path folder) throws Exception {
        Path chart = folder.resolve("rates.png");

        JsonNode report = json(tiny("--documents", "3000", "--latency", "2", "--png", chart.toString()));

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
        JsonNode report = json(tiny("--documents", "2000", "--index-sizes", "1k,3k"));

        assertThat(report.at("/sizes/0/originals").asInt()).isBetween(1_000, 2_000);
        assertThat(report.at("/sizes/1/originals").asInt()).isBetween(3_000, 5_000);
        for (JsonNode restart : List.of(report.get("restart"), report.get("restartOfEmpty"))) {
            assertThat(restart.get("cleanSeconds").asDouble()).isPositive();
            assertThat(restart.get("lostSeconds").asDouble()).isPositive();
            double running = restart.get("killedSeconds").asDouble();
            assertThat(running).isPositive();
            assertThat(restart.get("firstOutputSeconds").asDouble()).isGreaterThanOrEqualTo(running);
            assertThat(restart.get("caughtUpSeconds").asDouble())
                    .isGreaterThanOrEqualTo(restart.get("firstOutputSeconds").asDouble());
        }
    }

    @Test
    void shouldEndWithTheCauseWhenTheBrokerDies() throws Exception {
        CompletableFuture<Integer> exitCode =
                CompletableFuture.supplyAsync(() -> execute(tiny("--documents", "1000")), OwnThread.named("bench"));
        await().atMost(PATIENCE).until(() -> err.toString().contains("warming up"));

        firstChild().destroyForcibly();

        assertThat(exitCode).succeedsWithin(PATIENCE).isEqualTo(ExitCode.SOFTWARE);
        assertThat(err.toString()).contains("the broker process ended before its time, with exit code 137");
        Matcher log = Pattern.compile("see (\\S+\\.log)").matcher(err.toString());
        assertThat(log.find()).describedAs(err.toString()).isTrue();
        assertThat(Path.of(log.group(1))).exists();
        Files.delete(Path.of(log.group(1)));
        await().atMost(PATIENCE)
                .until(() -> ProcessHandle.current().children().findAny().isEmpty());
    }

    /** The broker is started before what is measured. */
    private static ProcessHandle firstChild() {
        return ProcessHandle.current()
                .children()
                .min(Comparator.comparing(child -> child.info().startInstant().orElseThrow()))
                .orElseThrow();
    }

    private static String[] tiny(String... more) {
        return with("service --json --rounds 1 --warm-up 1 --heap-percent 5".split(" ", -1), more);
    }
}
