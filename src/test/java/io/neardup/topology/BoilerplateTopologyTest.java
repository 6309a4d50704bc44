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
        Path file = Files.writeString(folder.resolve("boilerplate.tsv"), CommonSets.fileOfWords(TEMPLATE));
        TopologyHarness running = start("neardup.shingle=word:1", "neardup.boilerplate=" + file);
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

    private static String words(String stem, int count) {
        return IntStream.range(0, count).mapToObj(i -> stem + i).collect(Collectors.joining(" "));
    }
}
