package io.neardup.protocol;

import java.util.Comparator;

/**
 * The age of a document in a total order over all homes: of two similar documents in flight the younger yields. Skewed
 * clocks only change which of the two that is.
 *
 * @param arrivalMillis the time of its {@link NumberBlock}, about when the home took it, by the home's clock; never
 *     falling within a topic
 */
record Stamp(long arrivalMillis, Ref ref) implements Comparable<Stamp> {
    private static final Comparator<Stamp> ORDER =
            Comparator.comparingLong(Stamp::arrivalMillis).thenComparing(Stamp::ref);

    @Override
    public int compareTo(Stamp other) {
        return ORDER.compare(this, other);
    }

    boolean isOlderThan(Stamp other) {
        return compareTo(other) < 0;
    }
}
