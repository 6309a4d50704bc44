package io.neardup.engine.lsh;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The buckets of one band in memory: a multimap from bucket keys to document numbers, 8 bytes an entry and no objects.
 *
 * <p>It is one table with linear probing, in which the entries stand in descending order. An entry's home slot falls as
 * its key rises, and no empty slot lies between an entry and its home. So the entries of a bucket are neighbours, a
 * search for what is not there ends after a few slots even when 7/8 are taken, and to read the slots backwards is to
 * read the entries in order. Nothing wraps around: slots are added beyond the last home as they are needed, and the
 * last slot is always empty. A home is computed by multiplication, so that a table can have any number of them: it
 * grows by a half. Removal shifts entries back and leaves no tombstones.
 *
 * <p>The table is not on the heap: the garbage collector would copy it there, and it would leave less room to what is
 * in flight.
 *
 * <p>Not thread-safe.
 */
final class BandBuckets {
    /** How many bits of a bucket's hash count; two hashes that are equal in these are one bucket. */
    static final int KEY_BITS = 42;

    private static final int NUMBER_BITS = Long.SIZE - KEY_BITS;
    /** Numbers are from 0 to below this. */
    static final int NUMBERS_MAX = (1 << NUMBER_BITS) - 1;

    private static final int SLOTS_PER_CACHE_LINE = 8;
    private static final int HOMES_MIN = 16;
    private static final int SLOTS_BEYOND_HOMES = 16;

    private static final ByteBuffer CLOSED = ByteBuffer.allocateDirect(0);

    private ByteBuffer memory = empty(HOMES_MIN + SLOTS_BEYOND_HOMES);

    /** A key above a number plus 1; 0 is empty. */
    private LongBuffer slots = memory.asLongBuffer();

    private int homes = HOMES_MIN;
    private int size;

    /**
     * The bits that count of the hash of a document's key: a bijection spreads every bit, so keys need not be hashes.
     */
    static long key(long ofDocument) {
        long product = ofDocument * 0x9E37_79B9_7F4A_7C15L;
        return ((product ^ (product >>> 32)) * 0xD6E8_FEB8_6659_FD93L) >>> NUMBER_BITS;
    }

    /**
     * Reads the first slot of the bucket and one on each of the next two cache lines, which is as far as most searches
     * and insertions go. Calls for several bands in a row let their cache misses overlap.
     */
    long touch(long key) {
        int slot = home(key, homes);
        int last = slots.capacity() - 1;
        return slots.get(slot)
                + slots.get(Math.min(slot + SLOTS_PER_CACHE_LINE, last))
                + slots.get(Math.min(slot + 2 * SLOTS_PER_CACHE_LINE, last));
    }

    private static ByteBuffer empty(int slots) {
        return ByteBuffer.allocateDirect(Math.multiplyExact(slots, Long.BYTES)).order(ByteOrder.nativeOrder());
    }

    private LongStream all() {
        return IntStream.range(0, slots.capacity()).mapToLong(slots::get);
    }

    private static int home(long key, int homes) {
        return (int) (((~key << NUMBER_BITS >>> Integer.SIZE) * homes) >>> Integer.SIZE);
    }

    /** The slot of the bucket's first entry, or where that would be. */
    int firstSlot(long key) {
        int slot = home(key, homes);
        while (slots.get(slot) >>> NUMBER_BITS > key) {
            slot++;
        }
        return slot;
    }

    /** Whether a slot, behind the first one of a bucket, has an entry of it, too. */
    boolean isOf(int slot, long key) {
        long entry = slots.get(slot);
        return entry != 0 && entry >>> NUMBER_BITS == key;
    }

    /** The number in a slot that is not empty. */
    int number(int slot) {
        return numberOf(slots.get(slot));
    }

    private static int numberOf(long entry) {
        return (int) (entry & NUMBERS_MAX) - 1;
    }

    /** Adds an entry that is not there yet. */
    void add(long key, int number) {
        if (8L * (size + 1) > 7L * homes) {
            rebuild(slots, homes + homes / 2);
        }
        size++;
        int next = firstSlot(key);
        for (long moving = entry(key, number); moving != 0; next++) {
            long displaced = slots.get(next);
            slots.put(next, moving);
            moving = displaced;
        }
        if (next == slots.capacity()) {
            replace(lengthened(memory));
        }
    }

    /** As in a slot. */
    static long entry(long key, int number) {
        return key << NUMBER_BITS | (number + 1);
    }

    /**
     * Adds entries at once, of which none is there yet, 0 in place of some; and removes those whose numbers match.
     * Ordering all costs less than to add one by one what is of few buckets: these would be shifted each time.
     */
    void addAll(LongStream entries, IntPredicate removed) {
        long[] ordered = LongStream.concat(all(), entries)
                .filter(entry -> entry != 0 && !removed.test(numberOf(entry)))
                // Rising as signed numbers is then what is descending as unsigned ones.
                .map(entry -> entry ^ Long.MAX_VALUE)
                .sorted()
                .map(entry -> entry ^ Long.MAX_VALUE)
                .toArray();
        size = ordered.length;
        int homeCount = homes;
        while (8L * size > 7L * homeCount) {
            homeCount += homeCount / 2;
        }
        rebuild(LongBuffer.wrap(ordered), homeCount);
    }

    /** The entries of documents that are left, with their new numbers. */
    LongStream left(Renumbering numbers) {
        return all().filter(entry -> entry != 0 && !numbers.isGone(numberOf(entry)))
                .map(entry -> entry(entry >>> NUMBER_BITS, numbers.number(numberOf(entry))));
    }

    private static ByteBuffer lengthened(ByteBuffer table) {
        int count = table.capacity() / Long.BYTES;
        return empty(count + SLOTS_BEYOND_HOMES + count / 64).put(0, table, 0, table.capacity());
    }

    private void replace(ByteBuffer by) {
        ByteBuffer replaced = memory;
        memory = by;
        slots = by.asLongBuffer();
        BandSegment.free(replaced);
    }

    /**
     * No branch depends on whether a slot is empty: an empty one is moved like an entry, and its place is then
     * overwritten or stays empty.
     *
     * @param from the entries in their order, 0 in place of some
     */
    private void rebuild(LongBuffer from, int homeCount) {
        ByteBuffer rebuilt = empty(homeCount + SLOTS_BEYOND_HOMES);
        int last = -1;
        for (int i = 0; i < from.capacity(); i++) {
            long entry = from.get(i);
            int slot = Math.max(last + 1, home(entry >>> NUMBER_BITS, homeCount));
            if ((slot + 1) * Long.BYTES >= rebuilt.capacity()) {
                ByteBuffer shorter = rebuilt;
                rebuilt = lengthened(shorter);
                BandSegment.free(shorter);
            }
            rebuilt.putLong(slot * Long.BYTES, entry);
            last = entry == 0 ? last : slot;
        }
        homes = homeCount;
        replace(rebuilt);
    }

    /** Removes an entry, if it is there. */
    void remove(long key, int number) {
        int slot = firstSlot(key);
        while (isOf(slot, key) && number(slot) != number) {
            slot++;
        }
        if (isOf(slot, key)) {
            shiftBack(slot);
            size--;
        }
    }

    /** Closes the gap at a slot by what follows it, up to the first entry that is at its home. */
    private void shiftBack(int slot) {
        int end = slot + 1;
        while (slots.get(end) != 0 && home(slots.get(end) >>> NUMBER_BITS, homes) < end) {
            end++;
        }
        slots.put(slot, slots, slot + 1, end - slot - 1);
        slots.put(end - 1, 0);
    }

    /** How many entries there are. */
    int size() {
        return size;
    }

    /** Memory taken outside of the heap, in bytes. */
    long bytes() {
        return memory.capacity();
    }

    /** Frees the memory; nothing may be used afterwards. */
    void close() {
        replace(CLOSED);
    }

    /** The entries, rising by key. Nothing may change meanwhile. */
    BandPart.Entries entries() {
        return new BandPart.Entries() {
            private int slot = slots.capacity();

            @Override
            public int read(long[] keys, int[] numbers) {
                int count = 0;
                while (slot > 0 && count < keys.length) {
                    slot--;
                    long entry = slots.get(slot);
                    if (entry != 0) {
                        keys[count] = entry >>> NUMBER_BITS;
                        numbers[count] = numberOf(entry);
                        count++;
                    }
                }
                return count;
            }
        };
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

        int size() {
            return size;
        }

        int get(int i) {
            return numbers[i];
        }

        /** Whether a number is at an index from {@code from} on, before {@code to}. */
        boolean contains(int number, int from, int to) {
            for (int i = from; i < to; i++) {
                if (numbers[i] == number) {
                    return true;
                }
            }
            return false;
        }
    }
}
