package io.neardup.testing;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * All pairs of texts whose shingles reach a Jaccard similarity, without comparing all with all: two sets of n shingles
 * and more that reach t share one of the first n - ceil(t n) + 1 in any one order, here that of their hashes. What
 * shares such a hash is compared on all of them.
 */
public final class SimilarTexts {
    private final List<long[]> sets;
    private final int placeBits;

    /** @param shingle length of a shingle in characters */
    public SimilarTexts(List<String> texts, int shingle) {
        sets = texts.stream().map(text -> hashes(text, shingle)).toList();
        placeBits = Integer.SIZE - Integer.numberOfLeadingZeros(texts.size());
    }

    /** Places of two texts in their list, the first before the later. */
    public record Pair(int first, int later) {}

    public Set<Pair> pairs(double threshold) {
        long[] entries = prefixes(threshold);
        Set<Pair> pairs = new HashSet<>();
        for (int from = 0, to; from < entries.length; from = to) {
            to = from + 1;
            while (to < entries.length && entries[to] >>> placeBits == entries[from] >>> placeBits) {
                to++;
            }
            compareAll(entries, from, to, threshold, pairs);
        }
        return pairs;
    }

    /** The upper bits of a hash and the place of a text that has it in its prefix, in their order. */
    private long[] prefixes(double threshold) {
        return IntStream.range(0, sets.size())
                .mapToObj(place -> Arrays.stream(sets.get(place), 0, prefix(sets.get(place).length, threshold))
                        .map(hash -> hash >>> placeBits << placeBits | place))
                .flatMapToLong(entries -> entries)
                .sorted()
                .toArray();
    }

    private static int prefix(int size, double threshold) {
        return size - (int) Math.ceil(threshold * size) + 1;
    }

    private void compareAll(long[] entries, int from, int to, double threshold, Set<Pair> into) {
        for (int later = from; later < to; later++) {
            for (int first = from; first < later; first++) {
                Pair pair = new Pair(place(entries[first]), place(entries[later]));
                if (jaccard(sets.get(pair.first()), sets.get(pair.later())) >= threshold) {
                    into.add(pair);
                }
            }
        }
    }

    private int place(long entry) {
        return (int) (entry & (1L << placeBits) - 1);
    }

    private static double jaccard(long[] a, long[] b) {
        int common = 0;
        for (int i = 0, j = 0; i < a.length && j < b.length; ) {
            int order = Long.compare(a[i], b[j]);
            common += order == 0 ? 1 : 0;
            i += order <= 0 ? 1 : 0;
            j += order >= 0 ? 1 : 0;
        }
        return common / (double) (a.length + b.length - common);
    }

    private static long[] hashes(String text, int shingle) {
        return IntStream.rangeClosed(0, Math.max(0, text.length() - shingle))
                .mapToLong(i -> hash(text.substring(i, Math.min(text.length(), i + shingle))))
                .sorted()
                .distinct()
                .toArray();
    }

    private static long hash(String shingle) {
        long hash = 0;
        for (int i = 0; i < shingle.length(); i++) {
            hash = (hash ^ shingle.charAt(i)) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        return hash;
    }
}
