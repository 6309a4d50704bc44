package io.neardup.tools.analysis;

import io.neardup.engine.lsh.Banding;
import java.util.ArrayList;
import java.util.List;

/** Counts pairs by similarity, in bins of 0.05. */
final class Bins {
    private static final int COUNT = 20;

    private final Banding curve;
    private final long[] pairs = new long[COUNT];
    private final long[] found = new long[COUNT];
    private final double[] promised = new double[COUNT];

    Bins(Banding curve) {
        this.curve = curve;
    }

    void add(double jaccard, boolean isFound) {
        int bin = Math.min(COUNT - 1, bin(jaccard));
        pairs[bin]++;
        found[bin] += isFound ? 1 : 0;
        promised[bin] += curve.probability(jaccard);
    }

    /** The bins from a floor on, which may cut the first. */
    List<Bin> from(double floor) {
        List<Bin> bins = new ArrayList<>();
        for (int bin = Math.min(COUNT - 1, bin(floor)); bin < COUNT; bin++) {
            double from = Math.max(floor, edge(bin));
            double to = edge(bin + 1);
            double promise = pairs[bin] == 0 ? curve.probability((from + to) / 2) : promised[bin] / pairs[bin];
            bins.add(new Bin(from, to, pairs[bin], found[bin], promise));
        }
        return bins;
    }

    /** The last bin whose edge is reached, as doubles compare. */
    private static int bin(double similarity) {
        int bin = (int) (similarity * COUNT);
        if (edge(bin + 1) <= similarity) {
            return bin + 1;
        }
        return edge(bin) > similarity ? bin - 1 : bin;
    }

    private static double edge(int bin) {
        return bin / (double) COUNT;
    }
}
