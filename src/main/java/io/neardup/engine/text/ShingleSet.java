package io.neardup.engine.text;

import java.util.Arrays;

/** The distinct shingle hashes of a text, sorted: what the exact Jaccard similarity is defined on. Immutable. */
public final class ShingleSet {
    private final long[] hashes;

    private ShingleSet(long[] hashes) {
        this.hashes = hashes;
    }

    public static ShingleSet of(Shingles shingles) {
        long[] sorted = Arrays.copyOf(shingles.array(), shingles.size());
        Arrays.sort(sorted);
        int distinct = 0;
        for (int i = 0; i < sorted.length; i++) {
            if (i == 0 || sorted[i] != sorted[i - 1]) {
                sorted[distinct++] = sorted[i];
            }
        }
        return new ShingleSet(Arrays.copyOf(sorted, distinct));
    }

    public int size() {
        return hashes.length;
    }

    /** The overlap of this set, as the first, and another, as the second. */
    public Overlap overlap(ShingleSet other) {
        return new Overlap(hashes.length, other.hashes.length, common(hashes, other.hashes));
    }

    /** The Jaccard similarity of both, 0 to 1; 0 when both are empty. */
    public double jaccard(ShingleSet other) {
        return overlap(other).jaccard();
    }

    /**
     * No predictor can tell which of two hashes is less: adding the results of comparisons is twice as fast as
     * branching.
     */
    private static int common(long[] a, long[] b) {
        int common = 0;
        for (int i = 0, j = 0; i < a.length && j < b.length; ) {
            long x = a[i];
            long y = b[j];
            common += x == y ? 1 : 0;
            i += x <= y ? 1 : 0;
            j += y <= x ? 1 : 0;
        }
        return common;
    }

    /** A set that many are compared with, most of which share little with it: a bitmap tells what it does not have. */
    public static final class Bitmapped {
        private final long[] hashes;
        private final long[] bitmap;

        public Bitmapped(ShingleSet set) {
            this.hashes = set.hashes;
            // From 32 to 64 bits a hash.
            this.bitmap = new long[Integer.highestOneBit(Math.max(1, hashes.length))];
            for (long hash : hashes) {
                bitmap[word(hash)] |= 1L << hash;
            }
        }

        /** The overlap of another set, as the first, and this one, as the second. */
        public Overlap overlap(ShingleSet other) {
            int common = 0;
            int next = 0;
            for (long hash : other.hashes) {
                if ((bitmap[word(hash)] >>> hash & 1) != 0) {
                    while (next < hashes.length && hashes[next] < hash) {
                        next++;
                    }
                    common += next < hashes.length && hashes[next] == hash ? 1 : 0;
                }
            }
            return new Overlap(other.hashes.length, hashes.length, common);
        }

        private int word(long hash) {
            return (int) (hash >>> 6) & (bitmap.length - 1);
        }
    }
}
