package io.neardup.engine.protocol;

import io.neardup.engine.text.SplitMix64;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a document for the life of the index: the partition it arrived on and its number there.
 *
 * @param coordinator the partition of the input, 0 to {@link #COORDINATORS_MAX} - 1; of a {@link Check}, which has
 *     none, {@link #COORDINATORS_MAX} itself
 * @param sequence the number that the coordinator gave it, 0 to {@link #SEQUENCE_MAX}. Rising within a topic; across
 *     topics only roughly in the order in which records were taken
 */
public record DocumentRef(int coordinator, long sequence) implements Comparable<DocumentRef> {
    static final int SEQUENCE_BITS = 48;

    /** In place of a coordinator in the refs of checks. */
    private static final int CHECKS = (1 << 15) - 1;

    public static final int COORDINATORS_MAX = CHECKS;
    public static final long SEQUENCE_MAX = (1L << SEQUENCE_BITS) - 1;

    public DocumentRef {
        if (coordinator < 0 || coordinator > CHECKS) {
            throw new IllegalArgumentException("coordinator: expected 0 to " + CHECKS + ", found " + coordinator);
        }
        if (sequence < 0 || sequence > SEQUENCE_MAX) {
            throw new IllegalArgumentException("sequence: expected 0 to " + SEQUENCE_MAX + ", found " + sequence);
        }
    }

    /** The ref of the document of a {@link Check}. */
    public static DocumentRef ofCheck(long number) {
        return new DocumentRef(CHECKS, number);
    }

    /** Whether it is of the document of a {@link Check}. */
    public boolean isCheck() {
        return isCheck(coordinator);
    }

    /** Whether a message goes to a {@link Check}, not to a coordinator. */
    public static boolean isCheck(int coordinator) {
        return coordinator == CHECKS;
    }

    /** Both numbers in one non-negative long, in the order of {@link #compareTo}. */
    public long packed() {
        return (long) coordinator << SEQUENCE_BITS | sequence;
    }

    public static DocumentRef unpack(long packed) {
        return new DocumentRef((int) (packed >>> SEQUENCE_BITS), packed & SEQUENCE_MAX);
    }

    /** Whether it has the same coordinator and a greater number. */
    boolean isLaterThan(DocumentRef other) {
        return coordinator == other.coordinator && sequence > other.sequence;
    }

    @Override
    public int compareTo(DocumentRef other) {
        return Long.compare(packed(), other.packed());
    }

    // Refs are looked up for every message: this is cheaper than the equals of a record.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DocumentRef that && packed() == that.packed();
    }

    /**
     * Mixed: numbers come in blocks of which often the first few alone are used, so their low bits would collide. Only
     * 16 neighbours stay side by side: they are held at the same time, and looked up one after the other.
     */
    @Override
    public int hashCode() {
        return (int) SplitMix64.mix(packed() >>> 4) ^ (int) (sequence & 15);
    }
}
