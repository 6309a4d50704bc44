package io.neardup.protocol;

import org.jspecify.annotations.Nullable;

/**
 * Names a document for the life of the index: the partition it arrived on and its number there.
 *
 * @param home the partition of the input, 0 to {@link #HOMES_MAX} - 1
 * @param sequence the number the home gave it, 0 to {@link #SEQUENCE_MAX}. Rising within a topic. Between topics only
 *     about in the order of arrival: after a restart a topic of which records were in flight goes on with the numbers
 *     that it had
 */
public record Ref(int home, long sequence) implements Comparable<Ref> {
    private static final int SEQUENCE_BITS = 48;

    public static final int HOMES_MAX = 1 << 15;
    public static final long SEQUENCE_MAX = (1L << SEQUENCE_BITS) - 1;

    /** Of a document that is not in the index: no home ever gives this one. */
    static final Ref OUTSIDE = new Ref(HOMES_MAX - 1, SEQUENCE_MAX);

    public Ref {
        if (home < 0 || home >= HOMES_MAX) {
            throw new IllegalArgumentException("home: expected 0 to " + (HOMES_MAX - 1) + ", found " + home);
        }
        if (sequence < 0 || sequence > SEQUENCE_MAX) {
            throw new IllegalArgumentException("sequence: expected 0 to " + SEQUENCE_MAX + ", found " + sequence);
        }
    }

    /** Both numbers in one non-negative long, in the order of {@link #compareTo}. */
    public long packed() {
        return (long) home << SEQUENCE_BITS | sequence;
    }

    public static Ref unpack(long packed) {
        return new Ref(home(packed), sequence(packed));
    }

    static int home(long packed) {
        return (int) (packed >>> SEQUENCE_BITS);
    }

    static long sequence(long packed) {
        return packed & SEQUENCE_MAX;
    }

    /** Whether it came to the same home, after another. */
    boolean isLaterThan(Ref other) {
        return home == other.home && sequence > other.sequence;
    }

    @Override
    public int compareTo(Ref other) {
        return Long.compare(packed(), other.packed());
    }

    // Every message looks a document up by its ref: what the compiler makes of a record costs several times as much.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Ref that && packed() == that.packed();
    }

    @Override
    public int hashCode() {
        return Long.hashCode(packed());
    }
}
