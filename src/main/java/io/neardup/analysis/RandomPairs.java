package io.neardup.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Pairs of documents, drawn at random: each pair of different documents at the most once. */
final class RandomPairs {
    private RandomPairs() {}

    /**
     * Two documents by their numbers.
     *
     * @param second above the first
     */
    record Pair(int first, int second) {}

    /**
     * So many pairs, or all where there are no more, sorted.
     *
     * @param documents numbered from 0
     */
    static List<Pair> of(int documents, int pairsMax, long seed) {
        return documents * (documents - 1L) / 2 <= pairsMax ? all(documents) : drawn(documents, pairsMax, seed);
    }

    private static List<Pair> all(int documents) {
        List<Pair> pairs = new ArrayList<>();
        for (int first = 0; first < documents; first++) {
            for (int second = first + 1; second < documents; second++) {
                pairs.add(new Pair(first, second));
            }
        }
        return pairs;
    }

    private static List<Pair> drawn(int documents, int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Set<Pair> pairs = new HashSet<>();
        while (pairs.size() < count) {
            int one = random.nextInt(documents);
            int other = random.nextInt(documents - 1);
            other += other >= one ? 1 : 0;
            pairs.add(new Pair(Math.min(one, other), Math.max(one, other)));
        }
        return pairs.stream()
                .sorted(Comparator.comparingInt(Pair::first).thenComparingInt(Pair::second))
                .toList();
    }
}
