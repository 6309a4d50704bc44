package io.neardup.engine.text;

import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The hashes of boilerplate under one seed, in 10.5 bytes each where they are a million. Immutable, and shared by all
 * threads.
 *
 * <p>Of a hash 32 bits are kept, in one of two buckets of two places (Fan, Andersen, Kaminsky and Mitzenmacher 2014,
 * Cuckoo Filter: Practically Better Than Bloom). So another shingle is taken for boilerplate with a chance near 2^-30.
 * That does no harm, as it is excluded from every document alike. A Bloom filter in front, 16 bits a bucket, tells 98 %
 * of the others in one look: both bits of a hash are in one word. No look branches on the hash, as nobody can predict
 * which shingles are boilerplate.
 */
final class BoilerplateTable {
    /** Moves of one insertion at most; at three quarters full hardly one in a hundred needs ten. */
    private static final int MOVES_MAX = 500;

    private static final int BUCKET_BITS_MAX = 28;
    private static final long ONES = 0x0000_0001_0000_0001L;
    private static final long SIGN_BITS = ONES << 31;

    /** Two places each, of 32 bits; 0 is an empty one. */
    private final long[] buckets;

    private final long[] words;
    private final int bucketShift;
    private final int wordShift;
    private int moves;

    private BoilerplateTable(int bucketBits) {
        this.buckets = new long[1 << bucketBits];
        this.words = new long[buckets.length / 4];
        this.bucketShift = Long.SIZE - bucketBits;
        this.wordShift = bucketShift + 2;
    }

    /**
     * A table of hashes.
     *
     * @param size how many they are
     * @param source hands all of them on; asked again where the table turns out too small, which hardly ever happens
     */
    static BoilerplateTable of(int size, Consumer<LongConsumer> source) {
        int least = Math.max(6, Long.SIZE - Long.numberOfLeadingZeros(size * 2L / 3));
        for (int bucketBits = least; bucketBits <= BUCKET_BITS_MAX; bucketBits++) {
            BoilerplateTable table = new BoilerplateTable(bucketBits);
            boolean[] isFull = new boolean[1];
            source.accept(hash -> isFull[0] |= !table.add(hash));
            if (!isFull[0]) {
                return table;
            }
        }
        throw new IllegalStateException(size + " hashes: they fit into no table");
    }

    private boolean add(long hash) {
        words[(int) (hash >>> wordShift)] |= 1L << hash | 1L << (hash >>> 6);
        int kept = kept(hash);
        int bucket = bucketOf(hash);
        if (has(bucket, kept) != 0) {
            return true;
        }
        for (int move = 0; move < MOVES_MAX; move++) {
            if (put(bucket, kept) || put(other(bucket, kept), kept)) {
                return true;
            }
            int half = (moves++ & 1) * Integer.SIZE;
            int moved = (int) (buckets[bucket] >>> half);
            buckets[bucket] ^= ((moved ^ kept) & 0xFFFF_FFFFL) << half;
            bucket = other(bucket, moved);
            kept = moved;
        }
        return false;
    }

    private boolean put(int bucket, int kept) {
        long places = buckets[bucket];
        int half = (int) places == 0 ? 0 : Integer.SIZE;
        if ((int) (places >>> half) != 0) {
            return false;
        }
        buckets[bucket] = places | ((kept & 0xFFFF_FFFFL) << half);
        return true;
    }

    /**
     * Finds boilerplate among hashes. A first loop asks the Bloom filter alone: no look waits for another, so the
     * processor waits for many of them at once.
     *
     * @param places takes those of boilerplate, in order; with room for to - from + 1
     * @return how many are boilerplate
     */
    int find(long[] hashes, int from, int to, int[] places) {
        long[] filter = words;
        int mask = filter.length - 1;
        int shift = wordShift;
        int suspects = 0;
        for (int i = from; i < to; i++) {
            long hash = hashes[i];
            long word = filter[(int) (hash >>> shift) & mask];
            places[suspects] = i;
            suspects += (int) (word >>> hash & word >>> (hash >>> 6)) & 1;
        }
        return confirmed(hashes, places, suspects);
    }

    private int confirmed(long[] hashes, int[] places, int suspects) {
        int boilerplate = 0;
        for (int i = 0; i < suspects; i++) {
            int place = places[i];
            long hash = hashes[place];
            places[boilerplate] = place;
            boilerplate += has(bucketOf(hash), kept(hash));
        }
        return boilerplate;
    }

    /** 1 if either bucket has it, else 0: one of the four halves is 0 then. */
    private int has(int bucket, int kept) {
        long twice = (kept & 0xFFFF_FFFFL) * ONES;
        long first = buckets[bucket] ^ twice;
        long second = buckets[other(bucket, kept)] ^ twice;
        long zeros = (((first - ONES) & ~first) | ((second - ONES) & ~second)) & SIGN_BITS;
        return (int) ((zeros | (zeros << Integer.SIZE)) >>> 63);
    }

    private int bucketOf(long hash) {
        return (int) (hash >>> bucketShift);
    }

    /** The other bucket of what a bucket keeps; that of the other is this one. */
    private int other(int bucket, int kept) {
        return bucket ^ ((kept * 0x9E3779B1) >>> (bucketShift - Integer.SIZE));
    }

    /** The lower bits, but never those of an empty place. */
    private static int kept(long hash) {
        int lower = (int) hash;
        return lower == 0 ? 1 : lower;
    }
}
