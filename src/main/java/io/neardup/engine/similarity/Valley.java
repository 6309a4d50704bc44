package io.neardup.engine.similarity;

import java.util.Optional;

/**
 * Where the documents with a neighbour have become few behind the bulk of the unrelated, and not yet more again by the
 * copies.
 *
 * <p>Windows of {@value #WIDTH} bins, a bin apart and cut off at 1, are counted. The bulk is the fullest window below
 * 0.72. From behind it on, each window is compared with the fullest to its right, by the likelihood ratio G of the two
 * counts against their mean. The valley is the longest run of windows of nearly the greatest G, and the threshold its
 * middle. Copies that are all but equal ({@value #ALIKE_BIN} hundredths and above) say nothing of where edited ones
 * begin, and are not counted. So there is none where copies are exact, or where nothing is.
 *
 * <p>It is sure where it is deep, and most random halves of the documents have one near it.
 *
 * @param threshold 0.16 to 1, a whole number of hundredths
 * @param depth the greatest G
 * @param contrast how many times as full as the valley the fullest window behind it is, above 1
 * @param bulk the middle of the fullest window of the unrelated
 * @param copies the middle of the fullest window behind the valley
 */
public record Valley(double threshold, double depth, double contrast, double bulk, double copies) {
    /** What is counted: bins of .01 from 0 to 1, the last with 1. */
    public static final int BINS = 100;

    /** Random halves of the documents, for {@link #isSure}. */
    public static final int HALVES = 20;

    private static final int WIDTH = 8;
    private static final int ALIKE_BIN = 97;
    private static final int CENTRE_MIN = WIDTH / 2;
    private static final int BULK_END = 72;
    private static final int VALLEY_MIN = 16;
    private static final double NEARLY = 0.98;
    private static final double HUNDREDTHS = BINS;

    /** In random parts of labelled documents all proposals were good from here on; the bad ones were below 10. */
    private static final double DEPTH_SURE = 12;

    /** In a large collection a shallow dent is deep enough, and parts nothing. */
    private static final double CONTRAST_SURE = 2;

    /** Two thirds of the halves: half of them and one more is nearly as often as not. */
    private static final int HALVES_SURE = (2 * HALVES + 2) / 3;

    /** Thresholds that are no further apart are alike. */
    private static final double NEAR = 0.1 + 1e-9;

    /** The valley of some counts, or nothing if they only fall. */
    public static Optional<Valley> of(InBins counts) {
        return of(0, counts);
    }

    /**
     * The same where nothing is known of the first bins.
     *
     * @param fromBin the first one that was counted
     */
    public static Optional<Valley> of(int fromBin, InBins counts) {
        int first = fromBin + CENTRE_MIN;
        if (first >= BULK_END) {
            return Optional.empty();
        }
        double[] windows = windows(counts);
        return of(windows, fullest(windows, first, BULK_END));
    }

    /** The valley of a part of what was counted, behind the bulk of all of it. */
    public static Optional<Valley> behind(double bulk, InBins part) {
        return of(windows(part), (int) Math.round(bulk * HUNDREDTHS));
    }

    /** What lies in the bins from one to another, the latter left out. */
    @FunctionalInterface
    public interface InBins {
        double of(int fromBin, int toBin);
    }

    /** Whether another one says the same. */
    public boolean isNear(Valley other) {
        return Math.abs(threshold - other.threshold) <= NEAR;
    }

    /**
     * Whether it is more than chance.
     *
     * @param halves how many of the {@value #HALVES} have one near it
     */
    public boolean isSure(int halves) {
        return depth >= DEPTH_SURE && contrast >= CONTRAST_SURE && halves >= HALVES_SURE;
    }

    private static Optional<Valley> of(double[] windows, int bulk) {
        int start = Math.max(bulk + 1, VALLEY_MIN);
        if (start >= windows.length) {
            return Optional.empty();
        }
        double[] depths = new double[windows.length];
        int[] peaks = new int[windows.length];
        int deepest = start;
        for (int centre = windows.length - 1, peak = centre; centre >= start; centre--) {
            peaks[centre] = peak;
            depths[centre] = depth(windows[centre], windows[peak]);
            deepest = depths[centre] >= depths[deepest] ? centre : deepest;
            peak = windows[centre] > windows[peak] ? centre : peak;
        }
        if (!(depths[deepest] > 0)) {
            return Optional.empty();
        }
        int middle = middleOfLongestRun(depths, start, NEARLY * depths[deepest]);
        return Optional.of(new Valley(
                middle / HUNDREDTHS,
                depths[deepest],
                (windows[peaks[middle]] + 0.5) / (windows[middle] + 0.5),
                bulk / HUNDREDTHS,
                peaks[middle] / HUNDREDTHS));
    }

    private static double[] windows(InBins counts) {
        double[] windows = new double[BINS + 1];
        for (int centre = CENTRE_MIN; centre < windows.length; centre++) {
            windows[centre] = counts.of(centre - WIDTH / 2, Math.min(centre + WIDTH / 2, ALIKE_BIN));
        }
        return windows;
    }

    private static int fullest(double[] windows, int from, int to) {
        int fullest = from;
        for (int centre = from; centre < to; centre++) {
            fullest = windows[centre] > windows[fullest] ? centre : fullest;
        }
        return fullest;
    }

    /** G of a count against a higher one behind it; 0 where that is not higher. */
    private static double depth(double low, double high) {
        double mean = (low + high + 1) / 2;
        return low >= high ? 0 : 2 * (term(low + 0.5, mean) + term(high + 0.5, mean));
    }

    private static double term(double count, double mean) {
        return count * Math.log(count / mean);
    }

    private static int middleOfLongestRun(double[] depths, int start, double least) {
        int bestFrom = start;
        int bestLength = 0;
        int from = start;
        for (int centre = start; centre <= depths.length; centre++) {
            if (centre < depths.length && depths[centre] >= least) {
                continue;
            }
            if (centre - from > bestLength) {
                bestFrom = from;
                bestLength = centre - from;
            }
            from = centre + 1;
        }
        return bestFrom + (bestLength - 1) / 2;
    }
}
