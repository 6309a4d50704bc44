package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.record.Document;
import io.neardup.record.RawText;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PairCountsTest {
    private static final List<Document> DOCUMENTS = Stream.of("one of a kind", "one of a kind", "something else")
            .map(text -> new Document(text, RawText.of(text), ""))
            .toList();

    @Test
    void shouldCountAPairThatIsJustAtTheThreshold() {
        NeardupConfig config = NeardupConfig.of(new Settings());
        SignedSample signed = new SignedSample(DOCUMENTS, config, 0);
        PairCounts counts = new PairCounts(config, signed, new Meetings(signed.keys(), config.bucketMax()), null);

        counts.similar(0, 1, 0.7);
        counts.similar(0, 2, Math.nextDown(0.7));

        Evaluation evaluation = counts.evaluation(DOCUMENTS.size(), 0.3, null);
        assertThat(evaluation.similar()).isOne();
        assertThat(evaluation.found()).isOne();
        assertThat(evaluation.verifiedScore()).isEqualTo(new Score(1, 1, 1));
    }
}
