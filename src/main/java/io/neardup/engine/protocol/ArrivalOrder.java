package io.neardup.engine.protocol;

import java.util.Comparator;

/**
 * The age of a document in a total order over all coordinators: of two similar documents in flight the younger yields.
 * Skewed clocks only change which of the two that is, and the order in which requests are answered.
 *
 * @param arrivalMillis the time of its {@link SequenceAllocator.SequenceBlock}, about when the coordinator took it, by
 *     the coordinator's clock; never falling within a coordinator
 */
record ArrivalOrder(long arrivalMillis, DocumentRef ref) implements Comparable<ArrivalOrder> {
    private static final Comparator<ArrivalOrder> ORDER =
            Comparator.comparingLong(ArrivalOrder::arrivalMillis).thenComparing(ArrivalOrder::ref);

    @Override
    public int compareTo(ArrivalOrder other) {
        return ORDER.compare(this, other);
    }

    boolean isOlderThan(ArrivalOrder other) {
        return compareTo(other) < 0;
    }
}
