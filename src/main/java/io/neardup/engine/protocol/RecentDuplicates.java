package io.neardup.engine.protocol;

import org.jspecify.annotations.Nullable;

/**
 * Which of about the last {@value #DOCUMENTS_MAX} documents of a coordinator are duplicates, and what each repeats.
 * While thousands of copies are in flight they crowd their original out of the candidates that a document may have; who
 * asks one of them is told of it. A document's number chooses its slot, and leaves it to the next that it belongs to.
 */
final class RecentDuplicates {
    private static final int DOCUMENTS_MAX = 1 << 15;
    private static final int CAPACITY_MIN = 64;

    // Refs, packed, plus 1: 0 is free.
    private long[] duplicates = new long[CAPACITY_MIN];
    private long[] originals = new long[CAPACITY_MIN];

    void add(DocumentRef duplicate, DocumentRef original) {
        while (isTaken(duplicate) && duplicates.length < DOCUMENTS_MAX) {
            grow();
        }
        put(duplicate.packed() + 1, original.packed() + 1);
    }

    private boolean isTaken(DocumentRef duplicate) {
        long there = duplicates[slot(duplicate.packed() + 1)];
        return there != 0 && there != duplicate.packed() + 1;
    }

    private void grow() {
        long[] before = duplicates;
        long[] theirs = originals;
        duplicates = new long[2 * before.length];
        originals = new long[2 * before.length];
        for (int i = 0; i < before.length; i++) {
            if (before[i] != 0) {
                put(before[i], theirs[i]);
            }
        }
    }

    private void put(long duplicate, long original) {
        int slot = slot(duplicate);
        duplicates[slot] = duplicate;
        originals[slot] = original;
    }

    private int slot(long duplicate) {
        return (int) duplicate & (duplicates.length - 1);
    }

    /** The original that a document repeats; null where it is no duplicate or one of long ago. */
    @Nullable
    DocumentRef originalOf(DocumentRef document) {
        long duplicate = document.packed() + 1;
        int slot = slot(duplicate);
        return duplicates[slot] == duplicate ? DocumentRef.unpack(originals[slot] - 1) : null;
    }
}
