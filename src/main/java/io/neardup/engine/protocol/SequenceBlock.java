package io.neardup.engine.protocol;

/**
 * Sequence numbers for {@value #SIZE} consecutive offsets of a topic, or up to the first offset of the topic's next
 * block, all under one arrival time.
 *
 * @param firstOffset gets the first sequence number
 * @param arrivalMillis when the block began, never less than that of an earlier block of the coordinator
 */
public record SequenceBlock(String topic, long firstOffset, long firstSequence, long arrivalMillis) {
    static final int SIZE = 1024;

    boolean holdsOffset(long offset) {
        return offset >= firstOffset && offset - firstOffset < SIZE;
    }

    long sequenceOf(long offset) {
        return firstSequence + (offset - firstOffset);
    }

    long offsetOf(long sequence) {
        return firstOffset + (sequence - firstSequence);
    }

    /** The first offset that it no longer holds. */
    public long endOffset() {
        return firstOffset + SIZE;
    }

    long lastSequence() {
        return firstSequence + SIZE - 1;
    }
}
