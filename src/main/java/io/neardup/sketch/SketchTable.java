package io.neardup.sketch;

import java.util.Arrays;

/**
 * Sketches by 64-bit numbers, in memory. Each takes a slot, which is used again when it is gone. Of 224 values one
 * takes 125 to 131 bytes: 112 for itself, 8 for its number, the rest to find it.
 *
 * <p>The slots lie in chunks, so that growth copies only a table of 4 bytes a slot. It is open addressing with linear
 * probing; a removal closes its gap. Not thread-safe.
 */
public final class SketchTable {
    /** Said of a number that has no sketch here. */
    public static final int UNKNOWN = -1;

    private static final int CHUNK_BITS = 12;
    private static final int CHUNK_SLOTS = 1 << CHUNK_BITS;
    private static final int CAPACITY_MIN = 64;
    private static final int CAPACITY_MAX = 1 << 30;
    private static final int NONE = -1;
    private static final long ARRAY_HEADER_BYTES = 16;
    private static final int REFERENCE_BYTES = 4;

    /** Slot after slot: a number and the words of its sketch; of a free one the next that is free. */
    private long[][] chunks = new long[0][];
    /** Longs of a slot, 0 before the first sketch. */
    private int slotLongs;
    /** A slot, plus 1; 0 is empty. */
    private int[] places = new int[CAPACITY_MIN];

    private int slots;
    private int firstFree = NONE;
    private int size;

    /** Never read. A read whose result is stored is not compiled away. */
    @SuppressWarnings("unused")
    private long touched;

    /**
     * Puts a sketch here in place of that of the same number, if there is one.
     *
     * @throws IllegalArgumentException when it is of another size than those here
     */
    public void put(long number, BitSketch sketch) {
        if (slotLongs == 0) {
            slotLongs = 1 + sketch.words();
        }
        sketch.requireWords(slotLongs - 1);
        int place = placeOf(number);
        if (places[place] == 0) {
            place = add(number, place);
        }
        int slot = places[place] - 1;
        long[] chunk = chunks[slot >>> CHUNK_BITS];
        for (int i = 0; i < sketch.words(); i++) {
            chunk[at(slot) + 1 + i] = sketch.word(i);
        }
    }

    /** Takes a slot for a number that has none; returns where it is found. */
    private int add(long number, int free) {
        int place = free;
        if (4L * (size + 1) > 3L * places.length) {
            grow();
            place = placeOf(number);
        }
        int slot = takeSlot();
        chunks[slot >>> CHUNK_BITS][at(slot)] = number;
        places[place] = slot + 1;
        size++;
        return place;
    }

    private int takeSlot() {
        if (firstFree != NONE) {
            int slot = firstFree;
            firstFree = (int) number(slot);
            return slot;
        }
        if (slots == chunks.length << CHUNK_BITS) {
            chunks = Arrays.copyOf(chunks, chunks.length + 1);
            chunks[chunks.length - 1] = new long[CHUNK_SLOTS * slotLongs];
        }
        return slots++;
    }

    private void grow() {
        if (places.length == CAPACITY_MAX) {
            throw new IllegalStateException(
                    "sketches of one input partition: expected at most " + size + ", found more; use more partitions");
        }
        int[] before = places;
        places = new int[2 * before.length];
        for (int place : before) {
            if (place != 0) {
                places[placeOf(number(place - 1))] = place;
            }
        }
    }

    /** Frees the slot of a number; nothing happens if it has none. */
    public void remove(long number) {
        int place = placeOf(number);
        if (places[place] != 0) {
            int slot = places[place] - 1;
            chunks[slot >>> CHUNK_BITS][at(slot)] = firstFree;
            firstFree = slot;
            size--;
            places[place] = 0;
            close(place);
        }
    }

    /** Moves back what was pushed behind a place that is empty now. */
    private void close(int gap) {
        int mask = places.length - 1;
        int empty = gap;
        for (int place = (gap + 1) & mask; places[place] != 0; place = (place + 1) & mask) {
            int home = home(number(places[place] - 1));
            if (((place - home) & mask) >= ((place - empty) & mask)) {
                places[empty] = places[place];
                places[place] = 0;
                empty = place;
            }
        }
    }

    /**
     * On how many values the sketches of some numbers differ from another. In a large table each is a cache miss or
     * three: asked for together, they overlap.
     *
     * @param numbers the first {@code count} are looked for
     * @param into where it has {@value #UNKNOWN} gets the differences; those of a number without a sketch stay
     */
    public void differences(long[] numbers, int count, BitSketch other, int[] into) {
        if (size == 0) {
            return;
        }
        other.requireWords(slotLongs - 1);
        touch(numbers, count);
        for (int i = 0; i < count; i++) {
            int slot = into[i] == UNKNOWN ? places[placeOf(numbers[i])] - 1 : UNKNOWN;
            if (slot >= 0) {
                into[i] = other.differences(chunks[slot >>> CHUNK_BITS], at(slot) + 1);
            }
        }
    }

    /** Reads where they are likely to be. No branch depends on what is read, so the reads need not wait. */
    private void touch(long[] numbers, int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += places[home(numbers[i])];
        }
        for (int i = 0; i < count; i++) {
            int slot = Math.max(0, places[home(numbers[i])] - 1);
            long[] chunk = chunks[slot >>> CHUNK_BITS];
            sum += chunk[at(slot)] + chunk[at(slot) + slotLongs - 1];
        }
        touched = sum;
    }

    /** How many sketches are here. */
    public int size() {
        return size;
    }

    /** Heap taken, in bytes; an estimate that takes references to be of 4 bytes. */
    public long bytes() {
        long chunk = ARRAY_HEADER_BYTES + (long) Long.BYTES * CHUNK_SLOTS * slotLongs + REFERENCE_BYTES;
        return chunks.length * chunk + ARRAY_HEADER_BYTES + (long) Integer.BYTES * places.length;
    }

    /** Where a number is found, or the empty place where it belongs. */
    private int placeOf(long number) {
        int mask = places.length - 1;
        int place = home(number);
        while (places[place] != 0 && number(places[place] - 1) != number) {
            place = (place + 1) & mask;
        }
        return place;
    }

    private int home(long number) {
        long product = number * 0x9E37_79B9_7F4A_7C15L;
        return (int) (product >>> 32) & (places.length - 1);
    }

    private long number(int slot) {
        return chunks[slot >>> CHUNK_BITS][at(slot)];
    }

    /** Where a slot begins in its chunk. */
    private int at(int slot) {
        return (slot & (CHUNK_SLOTS - 1)) * slotLongs;
    }
}
