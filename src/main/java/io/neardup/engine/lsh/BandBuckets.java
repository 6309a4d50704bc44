package io.neardup.engine.lsh;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/**
 * The buckets of one band: a multimap from 64-bit bucket hashes to document numbers, 8 bytes an entry and no objects.
 *
 * <p>The hash's upper {@value #SEGMENT_BITS} bits choose a segment. The next 32 bits, the remainder, are kept in the
 * entry, above the 32-bit number. A segment is a table with linear probing whose entries stand in descending order of
 * the remainder. An entry's home slot falls as its remainder rises, and no empty slot lies between an entry and its
 * home. So a search for what is not there ends after a few slots, even when 7/8 are taken. Nothing wraps around: slots
 * are added beyond the last home as they are needed, and the last slot is always empty.
 *
 * <p>A home is computed by multiplication, so a segment may have any number of homes. It grows by a fifth, and shrinks
 * when less than 2/3 are taken. Growth moves one segment, never the whole band. Removal shifts entries back and leaves
 * no tombstones.
 *
 * <p>Two hashes equal in these 42 bits are one bucket. Not thread-safe.
 */
final class BandBuckets {
    private static final int SEGMENT_BITS = 10;
    static final int KEY_BITS = SEGMENT_BITS + Integer.SIZE;
    static final int SEGMENTS = 1 << SEGMENT_BITS;
    private static final int SLOTS_PER_CACHE_LINE = 8;
    private static final int HOMES_MIN = 4;
    private static final int SLOTS_BEYOND_HOMES = 4;

    /** Shared by all segments without an entry. It has no homes, so it is replaced before anything is written to it. */
    private static final long[] UNALLOCATED = new long[1];

    private final long[][] segments = new long[SEGMENTS][];
    /** Home slots of each segment, 0 where it has no entry. */
    private final int[] homes = new int[SEGMENTS];

    private final int[] sizes = new int[SEGMENTS];
    private long segmentBytes;

    BandBuckets() {
        Arrays.fill(segments, UNALLOCATED);
    }

    /**
     * Reads the first slot of the bucket and one on each of the next two cache lines, which is as far as most searches
     * and insertions go. Calls for several bands in a row let their cache misses overlap.
     */
    long touch(long hash) {
        int index = segmentOf(hash);
        long[] segment = segments[index];
        int slot = home(remainderOf(hash), homes[index]);
        int last = segment.length - 1;
        return segment[slot]
                + segment[Math.min(slot + SLOTS_PER_CACHE_LINE, last)]
                + segment[Math.min(slot + 2 * SLOTS_PER_CACHE_LINE, last)];
    }

    /** Appends the number of every document in the bucket. */
    void gather(long hash, NumberList into) {
        long[] segment = segments[segmentOf(hash)];
        long remainder = remainderOf(hash);
        for (int slot = firstSlot(hash); isOf(segment[slot], remainder); slot++) {
            into.add((int) segment[slot]);
        }
    }

    /** Where the bucket is, or would be. */
    private int firstSlot(long hash) {
        int index = segmentOf(hash);
        long[] segment = segments[index];
        long remainder = remainderOf(hash);
        int slot = home(remainder, homes[index]);
        while (segment[slot] >>> 32 > remainder) {
            slot++;
        }
        return slot;
    }

    private static boolean isOf(long entry, long remainder) {
        return entry >>> 32 == remainder && entry != 0;
    }

    /** How many documents are in the bucket. */
    int count(long hash) {
        int first = firstSlot(hash);
        long[] segment = segments[segmentOf(hash)];
        int end = first;
        while (isOf(segment[end], remainderOf(hash))) {
            end++;
        }
        return end - first;
    }

    /** Removes from the bucket the documents whose numbers match. */
    void removeIf(long hash, IntPredicate numbers) {
        int index = segmentOf(hash);
        long[] segment = segments[index];
        int slot = firstSlot(hash);
        while (isOf(segment[slot], remainderOf(hash))) {
            if (numbers.test((int) segment[slot])) {
                close(segment, slot, homes[index]);
                sizes[index]--;
            } else {
                slot++;
            }
        }
        shrinkIfSparse(index);
    }

    /** Removes these documents from every bucket. */
    void removeAll(BitSet numbers) {
        for (int index = 0; index < SEGMENTS; index++) {
            int removed = 0;
            long[] segment = segments[index];
            for (int slot = 0; slot < segment.length; slot++) {
                if (segment[slot] != 0 && numbers.get((int) segment[slot])) {
                    segment[slot] = 0;
                    removed++;
                }
            }
            if (removed > 0) {
                sizes[index] -= removed;
                rebuild(index, homes[index]);
                shrinkIfSparse(index);
            }
        }
    }

    /** Adds an entry that is not there yet. {@code number} is positive: an empty slot is 0. */
    void add(long hash, int number) {
        int index = segmentOf(hash);
        int size = sizes[index] + 1;
        if (size > sizeMax(homes[index])) {
            rebuild(index, Math.max(HOMES_MIN, homes[index] + homes[index] / 5 + 1));
        }
        place(index, firstSlot(hash), remainderOf(hash) << 32 | number);
        sizes[index] = size;
    }

    /** Removes the entry, and says whether it was there. A bucket that was full when the document came lacks it. */
    boolean remove(long hash, int number) {
        int index = segmentOf(hash);
        long[] segment = segments[index];
        long remainder = remainderOf(hash);
        long sought = remainder << 32 | number;
        int slot = home(remainder, homes[index]);
        while (segment[slot] != sought) {
            if (segment[slot] >>> 32 < remainder || segment[slot] == 0) {
                return false;
            }
            slot++;
        }
        close(segment, slot, homes[index]);
        sizes[index]--;
        shrinkIfSparse(index);
        return true;
    }

    /** Heap taken, in bytes, with 4-byte references. */
    long bytes() {
        return segmentBytes + BandTable.ints(SEGMENTS) + 2 * BandTable.ints(SEGMENTS);
    }

    /** Puts the entry into the slot, and shifts by one what stands from there up to the next empty slot. */
    private void place(int index, int slot, long entry) {
        long[] segment = segments[index];
        int next = slot;
        for (long moving = entry; moving != 0; next++) {
            long displaced = segment[next];
            segment[next] = moving;
            moving = displaced;
        }
        if (next == segment.length) {
            replace(index, lengthened(segment));
        }
    }

    /** Removes the entry at the slot, and shifts back what follows up to the first entry that is at its home. */
    private static void close(long[] segment, int slot, int homes) {
        int end = slot + 1;
        while (segment[end] != 0 && home(segment[end] >>> 32, homes) < end) {
            end++;
        }
        System.arraycopy(segment, slot + 1, segment, slot, end - slot - 1);
        segment[end - 1] = 0;
    }

    private void shrinkIfSparse(int index) {
        int size = sizes[index];
        if (size == 0) {
            homes[index] = 0;
            replace(index, UNALLOCATED);
        } else if (homes[index] > HOMES_MIN && size * 3L < homes[index] * 2L) {
            rebuild(index, Math.max(HOMES_MIN, size + size * 3 / 10 + 1));
        }
    }

    /**
     * No branch depends on whether a slot is empty: an empty one is moved like an entry, and its place is then
     * overwritten or stays empty.
     */
    private void rebuild(int index, int homeCount) {
        long[] rebuilt = new long[homeCount + SLOTS_BEYOND_HOMES];
        int last = -1;
        for (long entry : segments[index]) {
            int slot = Math.max(last + 1, home(entry >>> 32, homeCount));
            if (slot + 1 >= rebuilt.length) {
                rebuilt = lengthened(rebuilt);
            }
            rebuilt[slot] = entry;
            last = entry == 0 ? last : slot;
        }
        homes[index] = homeCount;
        replace(index, rebuilt);
    }

    private static long[] lengthened(long[] segment) {
        return Arrays.copyOf(segment, segment.length + SLOTS_BEYOND_HOMES + segment.length / 16);
    }

    private void replace(int index, long[] segment) {
        segmentBytes += segmentBytes(segment) - segmentBytes(segments[index]);
        segments[index] = segment;
    }

    private static long segmentBytes(long[] segment) {
        return segment == UNALLOCATED ? 0 : BandTable.longs(segment.length);
    }

    /** A bijection that spreads every bit into the upper ones, which choose the segment: keys need not be hashes. */
    static long hash(long key) {
        long product = key * 0x9E37_79B9_7F4A_7C15L;
        return (product ^ (product >>> 32)) * 0xD6E8_FEB8_6659_FD93L;
    }

    /** The bits of a hash that count: two hashes equal in them are one bucket. */
    static long key(long hash) {
        return hash >>> (Long.SIZE - KEY_BITS);
    }

    static int segmentOf(long hash) {
        return (int) (hash >>> (Long.SIZE - SEGMENT_BITS));
    }

    private static long remainderOf(long hash) {
        return (hash << SEGMENT_BITS) >>> 32;
    }

    private static int home(long remainder, int homes) {
        return (int) (((remainder ^ 0xFFFF_FFFFL) * homes) >>> 32);
    }

    private static int sizeMax(int homes) {
        return (int) (homes * 7L / 8);
    }

    /** The entries, rising by key. Nothing may change meanwhile. */
    Entries entries() {
        return new Entries();
    }

    final class Entries {
        private int index = -1;
        private int slot;
        private long entry;

        /** Goes to the next; false at the end. */
        boolean next() {
            while (true) {
                while (slot == 0) {
                    index++;
                    if (index == SEGMENTS) {
                        return false;
                    }
                    slot = segments[index].length;
                }
                slot--;
                entry = segments[index][slot];
                if (entry != 0) {
                    return true;
                }
            }
        }

        long key() {
            return (long) index << Integer.SIZE | entry >>> Integer.SIZE;
        }

        int number() {
            return (int) entry;
        }
    }

    /** A reusable list of document numbers. */
    static final class NumberList {
        private int[] numbers = new int[64];
        private int size;

        void clear() {
            size = 0;
        }

        void add(int number) {
            if (size == numbers.length) {
                numbers = Arrays.copyOf(numbers, 2 * size);
            }
            numbers[size++] = number;
        }

        /** Puts another in the place of each from there on; 0 takes it out. */
        void keep(int from, IntUnaryOperator by) {
            int end = size;
            size = from;
            for (int i = from; i < end; i++) {
                int other = by.applyAsInt(numbers[i]);
                numbers[size] = other;
                size += other == 0 ? 0 : 1;
            }
        }

        int size() {
            return size;
        }

        int get(int i) {
            return numbers[i];
        }

        /** Whether a number is at one of the places from the first to before the last. */
        boolean contains(int number, int from, int to) {
            for (int i = from; i < to; i++) {
                if (numbers[i] == number) {
                    return true;
                }
            }
            return false;
        }

        long bytes() {
            return BandTable.ints(numbers.length);
        }
    }
}
