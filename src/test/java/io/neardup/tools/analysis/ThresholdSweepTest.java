package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ThresholdSweepTest {

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
    void shouldGoFromOneDownToTheFloor() {
        assertThat(new ThresholdSweep().scores(0.9985, 0))
                .extracting(AtThreshold::threshold)
                .containsExactly(1.0, 0.999);
    }

    @Test
    void shouldTakeTheHighestOfEquallyGoodThresholds() {
        ThresholdSweep sweep = new ThresholdSweep();
        sweep.add(0.8, true);
        sweep.add(0.5, false);

        AtThreshold best = ThresholdSweep.best(sweep.scores(0.3, 1));

        assertThat(best).isEqualTo(new AtThreshold(0.8, new Score(1, 1, 1)));
    }
}
