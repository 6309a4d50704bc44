package io.neardup.streams.metrics;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which share of the duplicates is found, from those that are: one that is as similar to its original as two documents
 * that share a bucket with chance p stands for 1 / p that there were (Horvitz and Thompson 1952). The interval is to
 * hold the share that is found of these very documents in 95 of 100 indexes with other hash seeds. The copies of an
 * original may be found or missed together, all by its signature: so of an original with chances p the variance is at
 * most the square of the sum of sqrt(1 - p) / p, and that is taken. This closed form stands in for resampling by
 * original, which would need the copies of each; it is wider. Of {@value #ORIGINALS_MAX} originals that were repeated
 * last it is known what belongs together.
 *
 * <p>The estimate is low where several originals are alike: a copy of theirs is found by any of them. Thread-safe.
 */
public final class RecallEstimate {
    /** Fewer tell nothing. */
    static final int DUPLICATES_MIN = 100;

    private static final int ORIGINALS_MAX = 20_000;
    private static final double NORMAL_975 = 1.96;

    private final Map<Long, Double> deviations = new LinkedHashMap<>(16, 0.75f, true);
    private long found;
    private double all;
    private double variance;

    /**
     * What is known.
     *
     * @param duplicates that were found
     * @param share of those that there were, 0 to 1
     * @param low with {@code high} an interval of 95 %
     */
    public record Estimate(long duplicates, double share, double low, double high) {}

    /**
     * Takes a duplicate that was found.
     *
     * @param original its reference, packed
     * @param chance of two documents that similar to share a bucket, above 0, to 1
     */
    public synchronized void add(long original, double chance) {
        found++;
        all += 1 / chance;
        double more = Math.sqrt(1 - chance) / chance;
        double before = deviations.merge(original, more, Double::sum) - more;
        variance += more * (more + 2 * before);
        if (deviations.size() > ORIGINALS_MAX) {
            deviations.remove(deviations.keySet().iterator().next());
        }
    }

    /** Empty where fewer than {@value #DUPLICATES_MIN} were found. */
    public synchronized Optional<Estimate> estimate() {
        if (found < DUPLICATES_MIN) {
            return Optional.empty();
        }
        double either = NORMAL_975 * Math.sqrt(variance);
        double atLeast = Math.max((double) found, all - either);
        return Optional.of(new Estimate(found, found / all, found / (all + either), found / atLeast));
    }
}
