package io.neardup.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.text.CommonSets;
import io.neardup.engine.text.NaiveShingles;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.streams.topology.OutputRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/** Documents of one template, whose words do not count. */
class BoilerplateTopologyTest extends TopologyTests {
    private static final String TEMPLATE = words("menu", 60);
    private static final String STORY = TEMPLATE + " " + words("story", 40);
    private static final String EDITED = TEMPLATE + " " + words("story", 36) + " " + words("edited", 4);
    private static final String OTHER = TEMPLATE + " " + words("other", 20);

    @Test
    void shouldReportTheSimilarityWithoutBoilerplateAndThatOfTheWholeTexts() throws IOException {
        TopologyHarness running = start(true);
        running.document("story", STORY);
        running.document("edited", EDITED);
        running.document("other", OTHER);

        assertThat(running.unique()).hasSize(2);
        assertThat(running.counted(ServiceMetric.SHINGLES, "")).isEqualTo(100 + 100 + 80);
        assertThat(running.counted(ServiceMetric.SHINGLES_BOILERPLATE, "")).isEqualTo(180);
        TestRecord<byte[], byte[]> duplicate = only(running.duplicates());
        assertThat(header(duplicate, OutputRecords.ID)).isEqualTo("edited");
        assertThat(header(duplicate, OutputRecords.SIMILARITY)).isEqualTo(String.valueOf(36 / 44.0));
        assertThat(header(duplicate, OutputRecords.CONTAINMENT_OF_DUPLICATE)).isEqualTo(String.valueOf(36 / 40.0));
        assertThat(header(duplicate, OutputRecords.SIMILARITY_WHOLE))
                .isEqualTo(String.valueOf(NaiveShingles.jaccard("word:1", STORY, EDITED)));
    }

    /** Without the file the template makes the other document a duplicate, and nothing more is reported. */
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

    /** Without and with the words of the template that do not count. */
    private TopologyHarness start(boolean withBoilerplate, String... settings) throws IOException {
        Path file = Files.writeString(folder.resolve("boilerplate.tsv"), CommonSets.fileOfWords(TEMPLATE));
        String boilerplate = withBoilerplate ? "neardup.boilerplate=" + file : "neardup.recall=0.99";
        return start(Stream.concat(Stream.of("neardup.shingle=word:1", boilerplate), Stream.of(settings))
                .toArray(String[]::new));
    }

    private static String words(String stem, int count) {
        return IntStream.range(0, count).mapToObj(i -> stem + i).collect(Collectors.joining(" "));
    }
}
