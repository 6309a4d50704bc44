package io.neardup.engine.protocol;

import io.neardup.engine.similarity.Outline;
import org.jspecify.annotations.Nullable;

/**
 * Outlines of documents of a coordinator that others with many likely candidates asked about, up to {@value #BYTES_MAX}
 * bytes. Beyond, a hand goes round: who was not asked about since it came by last is dropped (the clock of page
 * replacement). Look-alikes are asked about again and again; who is asked about once may never be again, and its
 * outline would cost as much as it saves.
 *
 * <p>Open addressing with linear probing, as it is asked hundreds of times a document; a removal closes its gap.
 */
final class Outlines {
    private static final long BYTES_MAX = 16L << 20;
    /** With fewer taken there is room. */
    private static final long ROOM_BYTES = BYTES_MAX / 8 * 7;

    private static final long ENTRY_BYTES = 48;
    private static final int CAPACITY_MIN = 64;
    private static final int SEEN_MAX = 1 << 12;

    private long[] documents = new long[CAPACITY_MIN];
    /** Null where a place is free. */
    private @Nullable Outline[] outlines = new Outline[CAPACITY_MIN];

    private boolean[] askedAbout = new boolean[CAPACITY_MIN];
    /** Documents that were compared, each in the slot of its hash, until another takes it. */
    private final long[] seen = new long[SEEN_MAX];

    private int size;
    private int hand;
    private long bytes;

    /** The outline of a document; null where it is not at hand. */
    @Nullable
    Outline find(long document) {
        int place = placeOf(document);
        askedAbout[place] = true;
        return outlines[place];
    }

    /**
     * Whether the outline of a document that is compared now is worth making: it is not at hand, and there is room, or
     * the document was compared not long ago too.
     */
    boolean isWanted(long document) {
        int slot = (int) hash(document) & (SEEN_MAX - 1);
        boolean isSeen = seen[slot] == document;
        seen[slot] = document;
        return !has(document) && (isSeen || bytes < ROOM_BYTES);
    }

    boolean has(long document) {
        return outlines[placeOf(document)] != null;
    }

    void put(long document, Outline outline) {
        long taken = bytes(outline);
        if (taken > BYTES_MAX) {
            return;
        }
        int place = placeOf(document);
        Outline before = outlines[place];
        bytes += taken - (before == null ? 0 : bytes(before));
        size += before == null ? 1 : 0;
        documents[place] = document;
        outlines[place] = outline;
        if (2 * size > outlines.length) {
            grow();
        }
        while (bytes > BYTES_MAX) {
            turnHand();
        }
    }

    /** Each turn ends a place's grace, or frees it: two rounds free all. */
    private void turnHand() {
        Outline there = outlines[hand];
        if (there != null && !askedAbout[hand]) {
            bytes -= bytes(there);
            size--;
            close(hand);
        } else {
            askedAbout[hand] = false;
            hand = hand + 1 & outlines.length - 1;
        }
    }

    /** Frees a place, and moves back what was pushed behind it. */
    private void close(int gap) {
        int mask = outlines.length - 1;
        int empty = gap;
        outlines[empty] = null;
        for (int place = gap + 1 & mask; outlines[place] != null; place = place + 1 & mask) {
            if ((place - coordinator(documents[place]) & mask) >= (place - empty & mask)) {
                documents[empty] = documents[place];
                outlines[empty] = outlines[place];
                askedAbout[empty] = askedAbout[place];
                outlines[place] = null;
                empty = place;
            }
        }
    }

    private void grow() {
        long[] known = documents;
        @Nullable Outline[] before = outlines;
        boolean[] graced = askedAbout;
        documents = new long[2 * known.length];
        outlines = new Outline[2 * known.length];
        askedAbout = new boolean[2 * known.length];
        hand = 0;
        for (int i = 0; i < known.length; i++) {
            if (before[i] != null) {
                int place = placeOf(known[i]);
                documents[place] = known[i];
                outlines[place] = before[i];
                askedAbout[place] = graced[i];
            }
        }
    }

    /** Where a document is found, or the free place where it belongs. */
    private int placeOf(long document) {
        int mask = outlines.length - 1;
        int place = coordinator(document);
        while (outlines[place] != null && documents[place] != document) {
            place = place + 1 & mask;
        }
        return place;
    }

    private int coordinator(long document) {
        return (int) hash(document) & (outlines.length - 1);
    }

    private static long hash(long document) {
        return (document * 0x9E37_79B9_7F4A_7C15L) >>> 32;
    }

    private static long bytes(Outline outline) {
        return ENTRY_BYTES + outline.bytes();
    }

    long bytes() {
        return bytes;
    }
}
