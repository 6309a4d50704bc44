package io.neardup.tools.analysis;

import java.util.ArrayList;
import java.util.List;

/**
 * Some pairs of each similarity, drawn at random: up to {@value #EACH} in each bin of {@link SimilarityCounts}. Which
 * ones depends on the pairs alone, not on their order. Not thread-safe.
 */
final class PairExamples {
    static final int EACH = 20;

    private final List<List<Drawn>> bins = new ArrayList<>();

    PairExamples() {
        for (int bin = 0; bin < SimilarityCounts.BINS; bin++) {
            bins.add(new ArrayList<>());
        }
    }

    private record Drawn(long lot, PairExample pair) {}

    /** Offers a pair, which is kept if its lot is among the lowest of its bin. */
    void offer(int first, int second, double jaccard) {
        List<Drawn> kept = bins.get(SimilarityCounts.bin(jaccard));
        long lot = Lots.lot(Math.min(first, second), Math.max(first, second));
        int at = kept.size();
        if (at == EACH && kept.get(at - 1).lot <= lot) {
            return;
        }
        while (at > 0 && kept.get(at - 1).lot > lot) {
            at--;
        }
        kept.add(at, new Drawn(lot, new PairExample(Math.min(first, second), Math.max(first, second), jaccard)));
        if (kept.size() > EACH) {
            kept.remove(EACH);
        }
    }

    /** Pairs below a similarity, bin by bin downwards. */
    List<PairExample> below(double similarity, int max) {
        List<PairExample> pairs = new ArrayList<>();
        for (int bin = SimilarityCounts.bin(similarity) - 1; bin >= 0 && pairs.size() < max; bin--) {
            addTo(pairs, bin, max);
        }
        return pairs;
    }

    /** Pairs of a similarity and above, bin by bin upwards. */
    List<PairExample> from(double similarity, int max) {
        List<PairExample> pairs = new ArrayList<>();
        for (int bin = SimilarityCounts.bin(similarity); bin < bins.size() && pairs.size() < max; bin++) {
            addTo(pairs, bin, max);
        }
        return pairs;
    }

    private void addTo(List<PairExample> pairs, int bin, int max) {
        bins.get(bin).stream().map(Drawn::pair).limit(max - (long) pairs.size()).forEach(pairs::add);
    }
}
