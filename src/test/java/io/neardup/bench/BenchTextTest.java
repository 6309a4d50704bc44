package io.neardup.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.bench.BenchReports.Comparison;
import io.neardup.bench.BenchReports.Corpus;
import io.neardup.bench.BenchReports.Counts;
import io.neardup.bench.BenchReports.Footprint;
import io.neardup.bench.BenchReports.Garbage;
import io.neardup.bench.BenchReports.Growth;
import io.neardup.bench.BenchReports.Latency;
import io.neardup.bench.BenchReports.Layout;
import io.neardup.bench.BenchReports.Restart;
import io.neardup.bench.BenchReports.Round;
import io.neardup.bench.BenchReports.Size;
import io.neardup.bench.BenchReports.Speed;
import io.neardup.bench.BenchReports.Spread;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BenchTextTest {
    private static final Corpus CORPUS =
            BenchDocuments.news(1, 2_048, 0.3, 0.25).corpus(200_000);
    private static final Speed SPEED = new Speed(35_123.456, 38.25, 11.5);
    private static final Comparison COMPARISON = new Comparison(
            CORPUS,
            4,
            0.35123456,
            0.4,
            SPEED,
            new Speed(100_000, 14, 5),
            new Counts(140_000, 60_000, 0),
            new Footprint(328, 340, 1_200, 2_500, new TreeMap<>(Map.of("originals", 1_500.0))),
            new Garbage(6_000, 21.5, 40),
            List.of(new Latency(0.5, 17_500, 100_000, 3, 336, 598)),
            List.of(new Round(1, "service", SPEED)));

    @Test
    void shouldShowAComparison() {
        assertThat(BenchText.lines(COMPARISON))
                .anySatisfy(line -> assertThat(line).matches("documents per second +35,123 +100,000 +0\\.351"))
                .startsWith(
                        "200,000 documents of 2,048 bytes on average: generated news, of which 30 % are near-duplicates"
                                + " of earlier ones and 25 % of the others are made from templates",
                        "4 partitions: the service found 140,000 of them unique and 60,000 duplicates")
                .anySatisfy(line -> assertThat(line).matches("CPU of it, us a document +38\\.3 +14\\.0"))
                .anySatisfy(line -> assertThat(line).matches("latency at 50 %.* 336 +598 +3 had not come after 30 s"));
    }

    @Test
    void shouldWriteAComparisonAsJson() throws Exception {
        JsonNode json = new ObjectMapper().readTree(BenchText.json(COMPARISON));

        assertThat(json.get("ratio").asDouble()).isEqualTo(0.35123);
        assertThat(json.get("documentsPerSecond").asDouble()).isEqualTo(35_123);
        assertThat(json.at("/passthrough/documentsPerSecond").asDouble()).isEqualTo(100_000);
        assertThat(json.at("/rounds/0/cpuMicrosPerDocument").asDouble()).isEqualTo(38.25);
        assertThat(json.get("documents").asInt()).isEqualTo(200_000);
        assertThat(json.get("gcPauses").asInt()).isEqualTo(40);
        assertThat(json.at("/latency/0/p99Millis").asDouble()).isEqualTo(598);
        assertThat(json.at("/changelogBytesPerOriginalByStore/originals").asDouble())
                .isEqualTo(1_500);
    }

    @Test
    void shouldShowGrowthAndSpread() {
        Growth growth = new Growth(
                CORPUS,
                4,
                0.9,
                List.of(new Size(100_500, SPEED, 33_000_000, 90_000_000)),
                new Restart(9.5, 12, 13.25, 25, 99.5));
        assertThat(BenchText.lines(growth)).hasSize(7).anySatisfy(line -> assertThat(line)
                .contains("100,500", "35,123", "33,000,000"));
        assertThat(BenchText.lines(growth))
                .contains(
                        "restart at the last size, until all tasks run: 9.5 s after a stop, 12.0 s after a kill,",
                        "  99.5 s with the state folder lost",
                        "after the kill, until the first document is out: 13.3 s, until all are: 25.0 s");

        Spread spread = new Spread(CORPUS, 1.4, List.of(new Layout(1, 16, SPEED)));
        assertThat(BenchText.lines(spread)).hasSize(4).anySatisfy(line -> assertThat(line)
                .contains("16 x 16 / at 1 x 1: 1.400"));
    }
}
