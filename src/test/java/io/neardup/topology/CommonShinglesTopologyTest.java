package io.neardup.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.engine.text.NaiveShingles;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.streams.topology.OutputRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Documents of one template, whose words do not count. */
class CommonShinglesTopologyTest {
    private static final String TEMPLATE = words("menu", 60);
    private static final String STORY = TEMPLATE + " " + words("story", 40);
    private static final String EDITED = TEMPLATE + " " + words("story", 36) + " " + words("edited", 4);
    private static final String OTHER = TEMPLATE + " " + words("other", 20);

    @TempDir
    private Path folder;

    private @Nullable TopologyHarness harness;

    @AfterEach
    void close() {
        if (harness != null) {
            harness.close();
        }
    }

    @Test
    void shouldReportTheSimilarityWithoutCommonShinglesAndThatOfTheWholeTexts() throws IOException {
        TopologyHarness running = start(true);
        running.document("story", STORY);
        running.document("edited", EDITED);
        running.document("other", OTHER);

        assertThat(running.unique()).hasSize(2);
        assertThat(running.counted(ServiceMetric.SHINGLES, "")).isEqualTo(100 + 100 + 80);
        assertThat(running.counted(ServiceMetric.SHINGLES_LEFT_OUT, "")).isEqualTo(180);
        assertThat(running.duplicates()).singleElement().satisfies(duplicate -> {
            assertThat(header(duplicate, OutputRecords.ID)).isEqualTo("edited");
            assertThat(header(duplicate, OutputRecords.SIMILARITY)).isEqualTo(String.valueOf(36 / 44.0));
            assertThat(header(duplicate, OutputRecords.CONTAINMENT_OF_DUPLICATE))
                    .isEqualTo(String.valueOf(36 / 40.0));
            assertThat(header(duplicate, OutputRecords.SIMILARITY_WHOLE))
                    .isEqualTo(String.valueOf(NaiveShingles.jaccard("word:1", STORY, EDITED)));
        });
    }

    /** Without the file the template makes the other document a duplicate, and nothing more is told. */
    @Test
    void shouldReportNothingMoreWhereAllCounts() throws IOException {
        TopologyHarness running = start(false);
        running.document("story", STORY);
        running.document("edited", EDITED);
        running.document("other", STORY.replace("story", "none") + " " + words("story", 1));

        assertThat(running.duplicates()).isNotEmpty().allSatisfy(duplicate -> assertThat(
                        duplicate.headers().lastHeader(OutputRecords.SIMILARITY_WHOLE))
                .isNull());
    }

    @Test
    void shouldTellItInTheVerdictToo() throws IOException {
        TopologyHarness running = start(true, "neardup.duplicates.value=verdict");
        running.document("story", STORY);
        running.document("edited", EDITED);

        JsonNode verdict =
                new ObjectMapper().readTree(running.duplicates().get(0).value());
        assertThat(verdict.get("similarity").asDouble()).isEqualTo(36 / 44.0);
        assertThat(verdict.get("similarityWhole").asDouble()).isEqualTo(NaiveShingles.jaccard("word:1", STORY, EDITED));
    }

    @Test
    void shouldNotKnowItByEstimate() throws IOException {
        TopologyHarness running = start(true, "neardup.similarity.verify=estimate");
        running.document("story", STORY);
        running.document("copy", STORY);
        running.document("other", OTHER);

        assertThat(running.duplicates()).singleElement().satisfies(duplicate -> {
            assertThat(header(duplicate, OutputRecords.SIMILARITY)).isEqualTo("1.0");
            assertThat(duplicate.headers().lastHeader(OutputRecords.SIMILARITY_WHOLE))
                    .isNull();
        });
    }

    private TopologyHarness start(boolean withCommon, String... settings) throws IOException {
        String[] all = Stream.concat(
                        Stream.of(
                                "neardup.shingle=word:1",
                                withCommon ? "neardup.boilerplate=" + common() : "neardup.recall=0.99"),
                        Stream.of(settings))
                .toArray(String[]::new);
        TopologyHarness started = new TopologyHarness(folder, all);
        harness = started;
        return started;
    }

    private Path common() throws IOException {
        String header = "# version=1\n# shingle=word:1\n# case=lower\n# documents=90\n# clusters=40\n# share=0.05\n";
        String lines = TEMPLATE.lines()
                .flatMap(line -> Arrays.stream(line.split(" ", -1)))
                .sorted()
                .map(word -> "40\t" + word + "\n")
                .collect(Collectors.joining());
        return Files.writeString(folder.resolve("boilerplate.tsv"), header + lines);
    }

    private static String header(TestRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? "none" : new String(header.value(), UTF_8);
    }

    private static String words(String stem, int count) {
        return IntStream.range(0, count).mapToObj(i -> stem + i).collect(Collectors.joining(" "));
    }
}
