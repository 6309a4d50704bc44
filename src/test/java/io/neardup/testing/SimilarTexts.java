package io.neardup.testing;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All pairs of texts whose shingles reach a Jaccard similarity, without comparing all with all: two sets of n shingles
 * and more that reach t share one of the first n - ceil(t n) + 1 in any one order. Here the rare ones come first, as
 * few texts share them, and of equals the order is that of their hashes. What shares such a hash is compared on all of
 * them.
 *
 * <p>Memory, beside the texts: about (1 - t) longs and a byte a character, of the bytes at most 2^28, and where there
 * are fewer than 2^25 characters one long more for each.
 */
public final class SimilarTexts {
    private static final int COUNT_BITS_MAX = 28;
    private static final long KEPT_CHARACTERS_MAX = 1L << 25;

    /** Bits of a hash behind its count; the lowest are left out. */
    private static final int HASH_BITS = 56;

    private static final int LEFT_OUT = Long.SIZE - HASH_BITS;

    private final List<String> texts;
    private final int shingle;
    private final int placeBits;

    /** About how often hashes occur, by their upper bits. */
    private final byte[] counts;

    private final int countBits;

    /** The hashes of those that were compared; nothing where there is too much of them. */
    private final long[][] kept;

    /** @param shingle length of a shingle in characters */
    public SimilarTexts(List<String> texts, int shingle) {
        this.texts = texts;
        this.shingle = shingle;
        placeBits = Integer.SIZE - Integer.numberOfLeadingZeros(texts.size());
        long characters = texts.stream().mapToLong(String::length).sum();
        countBits = Math.min(COUNT_BITS_MAX, Long.SIZE - Long.numberOfLeadingZeros(characters));
        counts = new byte[1 << countBits];
        kept = new long[characters < KEPT_CHARACTERS_MAX ? texts.size() : 0][];
    }

    /** Places of two texts in their list, the first before the later. */
    public record Pair(int first, int later) {}

    public Set<Pair> pairs(double threshold) {
        long[] entries = prefixes(threshold);
        Set<Pair> pairs = new HashSet<>();
        // Of one template many share many.
        Set<Pair> unlike = new HashSet<>();
        for (int from = 0, to; from < entries.length; from = to) {
            to = from + 1;
            while (to < entries.length && entries[to] >>> placeBits == entries[from] >>> placeBits) {
                to++;
            }
            compareAll(entries, from, to, threshold, pairs, unlike);
        }
        return pairs;
    }

    /** The upper bits of a hash and the place of a text that has it in its prefix, in their order. */
    private long[] prefixes(double threshold) {
        long[] entries = new long[count(threshold)];
        int end = 0;
        for (int place = 0; place < texts.size(); place++) {
            long[] byCount = hashes(texts.get(place));
            for (int i = 0; i < byCount.length; i++) {
                byCount[i] = (long) counts[countOf(byCount[i])] << HASH_BITS | byCount[i] >>> LEFT_OUT;
            }
            Arrays.sort(byCount);
            int prefix = prefix(byCount.length, threshold);
            for (int i = 0; i < prefix; i++) {
                long hash = byCount[i] << LEFT_OUT;
                entries[end++] = hash >>> placeBits << placeBits | place;
            }
        }
        Arrays.sort(entries);
        return entries;
    }

    /** Counts the shingles, and how many are in prefixes. */
    private int count(double threshold) {
        Arrays.fill(counts, (byte) 0);
        int prefixes = 0;
        for (String text : texts) {
            long[] hashes = hashes(text);
            prefixes = Math.addExact(prefixes, prefix(hashes.length, threshold));
            for (long hash : hashes) {
                int at = countOf(hash);
                if (counts[at] < Byte.MAX_VALUE) {
                    counts[at]++;
                }
            }
        }
        return prefixes;
    }

    private int countOf(long hash) {
        return (int) (hash >>> (Long.SIZE - countBits));
    }

    private static int prefix(int size, double threshold) {
        return size - (int) Math.ceil(threshold * size) + 1;
    }

    private void compareAll(long[] entries, int from, int to, double threshold, Set<Pair> into, Set<Pair> unlike) {
        for (int later = from + 1; later < to; later++) {
            for (int first = from; first < later; first++) {
                Pair pair = new Pair(place(entries[first]), place(entries[later]));
                if (!into.contains(pair) && !unlike.contains(pair)) {
                    double jaccard = jaccard(hashes(pair.first()), hashes(pair.later()));
                    (jaccard >= threshold ? into : unlike).add(pair);
                }
            }
        }
    }

    private long[] hashes(int place) {
        if (kept.length == 0) {
            return hashes(texts.get(place));
        }
        if (kept[place] == null) {
            kept[place] = hashes(texts.get(place));
        }
        return kept[place];
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

    /** Of the shingles of a text, in their order, each once. */
    private long[] hashes(String text) {
        long[] hashes = new long[Math.max(0, text.length() - shingle) + 1];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = hash(text, i, Math.min(text.length(), i + shingle));
        }
        Arrays.sort(hashes);
        int distinct = 1;
        for (int i = 1; i < hashes.length; i++) {
            if (hashes[i] != hashes[i - 1]) {
                hashes[distinct++] = hashes[i];
            }
        }
        return Arrays.copyOf(hashes, distinct);
    }

    private static long hash(String text, int from, int to) {
        long hash = 0;
        for (int i = from; i < to; i++) {
            hash = (hash ^ text.charAt(i)) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        return hash;
    }
}
