package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.Banding;
import io.neardup.record.Document;
import io.neardup.record.RawText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What pairs count for that lie just at a border. */
class EvaluatorTest {
    private static final Banding CURVE = new Banding(20, 5);

    @Test
    void shouldPutABorderIntoTheBinThatItBegins() {
        Bins bins = new Bins(CURVE);

        for (int edge = 1; edge < 20; edge++) {
            bins.add(edge / 20.0, false);
            bins.add(Math.nextDown(edge / 20.0), true);
        }

        assertThat(bins.from(0).subList(1, 19)).hasSize(18).allSatisfy(bin -> {
            assertThat(bin.pairs()).isEqualTo(2);
            assertThat(bin.found()).isEqualTo(1);
        });
    }

    // ---- by threshold

    @Test
    void shouldCountAPairFromItsOwnSimilarityOn() {
        for (int step = 1; step <= 1_000; step++) {
            double similarity = step / 1_000.0;
            ThresholdSweep sweep = new ThresholdSweep();
            sweep.add(similarity, true);
            sweep.add(Math.nextDown(similarity), false);

            List<AtThreshold> scores = sweep.scores(similarity, 1);

            assertThat(scores.get(scores.size() - 1)).isEqualTo(new AtThreshold(similarity, new Score(1, 1, 1)));
        }
    }

    @Test
    void shouldTakeTheHighestOfEquallyGoodThresholds() {
        ThresholdSweep sweep = new ThresholdSweep();
        sweep.add(0.8, true);
        sweep.add(0.5, false);

        AtThreshold best = ThresholdSweep.best(sweep.scores(0.3, 1));

        assertThat(best).isEqualTo(new AtThreshold(0.8, new Score(1, 1, 1)));
    }

    // ---- at the threshold of the settings

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

    // ---- who meets whom

    @Test
    void shouldTellAPairOnceHoweverManyBandsItShares() {
        Meetings meetings = new Meetings(List.of(keys(1, 2, 3), keys(1, 2, 4), keys(5, 6, 4)), 10);

        assertThat(told(meetings)).containsExactly(List.of(0, 1), List.of(1, 2));
        assertThat(meetings.meet(0, 2)).isFalse();
        assertThat(meetings.bucketsFull()).isZero();
    }

    @Test
    void shouldNotMixKeysOfDifferentBands() {
        assertThat(told(new Meetings(List.of(keys(1, 2), keys(2, 1)), 10))).isEmpty();
    }

    @Test
    void shouldFindInAFullBucketOnlyWhatItTook() {
        Meetings meetings = new Meetings(List.of(keys(1), keys(1), keys(1), keys(1)), 2);

        assertThat(told(meetings))
                .containsExactlyInAnyOrder(List.of(0, 1), List.of(0, 2), List.of(1, 2), List.of(0, 3), List.of(1, 3));
        assertThat(meetings.meet(2, 3)).isFalse();
        assertThat(meetings.meet(1, 3)).isTrue();
        assertThat(meetings.bucketsFull()).isEqualTo(2);
    }

    private static BandKeys keys(long... keys) {
        return BandKeys.of(keys);
    }

    private static List<List<Integer>> told(Meetings meetings) {
        List<List<Integer>> pairs = new ArrayList<>();
        meetings.forEach((first, second) -> {
            pairs.add(List.of(first, second));
            assertThat(meetings.meet(first, second)).isTrue();
        });
        return pairs;
    }
}
