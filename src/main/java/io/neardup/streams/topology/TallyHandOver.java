package io.neardup.streams.topology;

import io.neardup.engine.protocol.CoordinatorCounts.Tally;
import io.neardup.streams.metrics.HistogramCounts.Observations;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

/** Hands what a coordinator noted since the last time to a histogram of the process. */
final class TallyHandOver {
    private final Observations to;
    private long[] handedOver = new long[0];

    TallyHandOver(Observations to) {
        this.to = to;
    }

    /**
     * Counts what is new.
     *
     * @param all since the task started
     * @param value of a number in the histogram; NaN where it has none
     */
    void handOver(Tally all, IntToDoubleFunction value) {
        if (handedOver.length < all.size()) {
            handedOver = Arrays.copyOf(handedOver, all.size());
        }
        for (int number = 0; number < all.size(); number++) {
            long more = all.times(number) - handedOver[number];
            if (more > 0) {
                note(value.applyAsDouble(number), more);
                handedOver[number] += more;
            }
        }
        to.count();
    }

    private void note(double value, long times) {
        if (!Double.isNaN(value)) {
            to.note(value, times);
        }
    }
}
