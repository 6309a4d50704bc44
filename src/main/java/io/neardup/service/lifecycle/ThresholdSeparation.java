package io.neardup.service.lifecycle;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Signing;
import io.neardup.engine.similarity.Valley;
import io.neardup.streams.metrics.NearestSimilarities.Counted;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Whether few documents lie near the threshold, by the similarity of each to its nearest original. The page draws its
 * curve from this. Which threshold would separate them better {@code tune} tells.
 *
 * @param seenFrom how similar a document must be to an original so that the two are compared
 * @param curve how likely two documents are compared, by their similarity in steps of .01 from 0 to 1; null where that
 *     is not known
 */
public record ThresholdSeparation(
        double threshold, double seenFrom, @Nullable List<Double> curve) {
    private static final int BINS = Valley.BINS;
    /** So near the threshold, so many and such a share of all: less may be chance. */
    private static final int NEAR_BINS = 5;

    private static final int NEAR_MIN = 30;
    private static final double NEAR_SHARE = 0.02;

    static ThresholdSeparation of(NeardupConfig config, Signing signing) {
        int differencesMax = signing.differencesMax(config.threshold());
        List<Double> curve = IntStream.rangeClosed(0, BINS)
                .mapToObj(bin -> signing.comparing(bin / (double) BINS, differencesMax))
                .toList();
        return new ThresholdSeparation(
                config.threshold(),
                seenFrom(config, signing, differencesMax),
                signing.judgesBySharing() ? curve : null);
    }

    /**
     * Below the cut of the sketches less than half is compared, and below the threshold nothing is noted without
     * verdicts. Where nothing is cut all is seen.
     */
    private static double seenFrom(NeardupConfig config, Signing signing, int differencesMax) {
        if (!config.writesVerdicts()) {
            return config.threshold();
        }
        double similarity = signing.similarityAt(differencesMax);
        return Double.isNaN(similarity) ? 0 : Math.min(similarity, config.threshold());
    }

    /** Two sentences; empty where there is nothing to say. */
    public String sentences(Counted counted) {
        int bin = (int) Math.round(threshold * BINS);
        long below = sum(counted.unique(), bin - NEAR_BINS, bin);
        long above = sum(counted.duplicates(), bin, bin + NEAR_BINS);
        long all = sum(counted.unique(), (int) Math.ceil(seenFrom * BINS - 1e-9), BINS)
                + sum(counted.duplicates(), 0, BINS);
        return Math.min(below, above) < Math.max(NEAR_MIN, NEAR_SHARE * all)
                ? ""
                : String.format(
                        Locale.ROOT,
                        "Many documents lie at both sides of the threshold: %,d within 0.05 below it, and %,d above."
                                + " The command tune tells more, with a file of documents.",
                        below,
                        above);
    }

    private static long sum(List<Long> counts, int fromBin, int toBin) {
        return counts.subList(Math.max(0, fromBin), Math.min(toBin, BINS)).stream()
                .mapToLong(Long::longValue)
                .sum();
    }
}
