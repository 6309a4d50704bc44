package io.neardup.tools.analysis;

import java.util.Optional;

/**
 * How much of some documents is boilerplate: shingles that many unlike ones of them hold.
 *
 * @param documents looked at
 * @param leftOut the share of their shingles that is common, 0 to 1
 * @param duplicates looked at, each with its original
 * @param heldTogether how many of these would be below the threshold without the boilerplate
 * @param example one of them
 */
public record DuplicateBoilerplate(
        int documents, double leftOut, int duplicates, int heldTogether, Optional<Example> example) {
    /** From fewer duplicates nothing is concluded. */
    private static final int DUPLICATES_MIN = 5;

    /** A duplicate that is held together by boilerplate. */
    public record Example(String id, String originalId, double similarity, double withoutCommon) {}

    /** Whether most of the duplicates are held together by it. */
    public boolean holdsMost() {
        return duplicates >= DUPLICATES_MIN && 2 * heldTogether > duplicates;
    }
}
