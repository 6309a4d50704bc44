package io.neardup.engine.similarity;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Sketches by 64-bit numbers, in memory. Each takes a slot, which is used again when it is gone. Of 224 values one
 * takes 125 to 131 bytes: 112 for itself, 8 for its number, the rest to find it. At the bound one that nobody has
 * looked for of late makes room (second chance: a hand goes round, and passes those that were looked for since it came
 * by).
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

    private final int max;
    /** Slots that were looked for since the hand passed them. */
    private final BitSet lookedFor = new BitSet();

    private int hand;

    /** Slot after slot: a number and the words of its sketch; of a free one the next that is free. */
    private long[][] chunks = new long[0][];
    /** Longs of a slot, 0 before the first sketch. */
    private int slotLongs;
    /**
     * A slot, plus 1, in as many bits as a place takes, and above it the upper bits of its number's hash: most others
     * that stand in the way are told by these, without a look at their slots. 0 is empty.
     */
    private int[] places = new int[CAPACITY_MIN];

    private int slots;
    private int firstFree = NONE;
    private int size;
    /** The likely slot of each number that is looked for. */
    private int[] likely = new int[0];

    /** Never read. A read whose result is stored is not compiled away. */
    @SuppressWarnings("unused")
    private long touched;

    /** @param max so many are held, at least 1 */
    public SketchTable(int max) {
        this.max = max;
    }

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
        int slot = slotAt(place);
        long[] chunk = chunks[slot >>> CHUNK_BITS];
        for (int i = 0; i < sketch.words(); i++) {
            chunk[at(slot) + 1 + i] = sketch.word(i);
        }
    }

    /** Takes a slot for a number that has none; returns where it is found. */
    private int add(long number, int free) {
        int place = free;
        if (size == max) {
            makeRoom();
            place = placeOf(number);
        }
        if (4L * (size + 1) > 3L * places.length) {
            grow();
            place = placeOf(number);
        }
        int slot = takeSlot();
        chunks[slot >>> CHUNK_BITS][at(slot)] = number;
        enter(place, number, slot);
        size++;
        return place;
    }

    /** No slot is free here: as many were taken as there may be. */
    private void makeRoom() {
        while (lookedFor.get(hand)) {
            lookedFor.clear(hand);
            hand = (hand + 1) % max;
        }
        remove(number(hand));
        hand = (hand + 1) % max;
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
        for (int entry : before) {
            if (entry != 0) {
                int slot = (entry & (before.length - 1)) - 1;
                long number = number(slot);
                enter(placeOf(number), number, slot);
            }
        }
    }

    private void enter(int place, long number, int slot) {
        int mask = places.length - 1;
        places[place] = (hash(number) & ~mask) | (slot + 1);
    }

    /** Frees the slot of a number; nothing happens if it has none. */
    public void remove(long number) {
        int place = placeOf(number);
        if (places[place] != 0) {
            int slot = slotAt(place);
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
            int home = hash(number(slotAt(place))) & mask;
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
     * @param other may be none
     * @return by number; {@value #UNKNOWN} where one of the two has no sketch
     */
    public int[] differences(long[] numbers, BitSketch other) {
        int[] differences = new int[numbers.length];
        Arrays.fill(differences, UNKNOWN);
        if (size == 0 || other.isNone()) {
            return differences;
        }
        other.requireWords(slotLongs - 1);
        touch(numbers);
        for (int i = 0; i < numbers.length; i++) {
            int slot = slotOf(numbers[i], likely[i]);
            if (slot >= 0) {
                lookedFor.set(slot);
                differences[i] = other.differences(chunks[slot >>> CHUNK_BITS], at(slot) + 1);
            }
        }
        return differences;
    }

    /** Reads where they are likely to be: first all places, then all slots. So the reads need not wait for another. */
    private void touch(long[] numbers) {
        likely = likely.length < numbers.length ? new int[2 * numbers.length] : likely;
        int mask = places.length - 1;
        long sum = 0;
        for (int i = 0; i < numbers.length; i++) {
            sum += places[hash(numbers[i]) & mask];
        }
        for (int i = 0; i < numbers.length; i++) {
            int slot = likelySlot(hash(numbers[i]));
            likely[i] = slot;
            int read = Math.max(0, slot);
            long[] chunk = chunks[read >>> CHUNK_BITS];
            sum += chunk[at(read)] + chunk[at(read) + slotLongs - 1];
        }
        touched = sum;
    }

    /** The slot of the first whose hash has the same upper bits; {@value #UNKNOWN} where there is none. */
    private int likelySlot(int hash) {
        int mask = places.length - 1;
        int place = hash & mask;
        while (places[place] != 0 && !isLikely(place, hash)) {
            place = (place + 1) & mask;
        }
        return slotAt(place);
    }

    private int slotOf(long number, int likelySlot) {
        boolean isCertain = likelySlot == UNKNOWN || number(likelySlot) == number;
        return isCertain ? likelySlot : slotAt(placeOf(number));
    }

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
        int hash = hash(number);
        int place = hash & mask;
        while (places[place] != 0 && !(isLikely(place, hash) && number(slotAt(place)) == number)) {
            place = (place + 1) & mask;
        }
        return place;
    }

    private boolean isLikely(int place, int hash) {
        int mask = places.length - 1;
        return ((places[place] ^ hash) & ~mask) == 0;
    }

    private static int hash(long number) {
        return (int) ((number * 0x9E37_79B9_7F4A_7C15L) >>> 32);
    }

    /** The slot that a place names; {@value #UNKNOWN} of an empty one. */
    private int slotAt(int place) {
        return (places[place] & (places.length - 1)) - 1;
    }

    private long number(int slot) {
        return chunks[slot >>> CHUNK_BITS][at(slot)];
    }

    /** Where a slot begins in its chunk. */
    private int at(int slot) {
        return (slot & (CHUNK_SLOTS - 1)) * slotLongs;
    }
}
