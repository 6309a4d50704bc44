package io.neardup.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.bench.BenchReports.Comparison;
import io.neardup.bench.BenchReports.Corpus;
import io.neardup.bench.BenchReports.Counts;
import io.neardup.bench.BenchReports.Footprint;
import io.neardup.bench.BenchReports.Garbage;
import io.neardup.bench.BenchReports.Latency;
import io.neardup.bench.BenchReports.Round;
import io.neardup.bench.BenchReports.Speed;
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
}
