package io.neardup.tools.audit;

import io.neardup.record.Verdict.Position;
import io.neardup.tools.audit.ContentHash.Content;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A record that came in, and the one that says what became of it. */
record Matched(Taken taken, Left left) {

    /** A record that came in. */
    static final class Taken {
        private final TopicPartition partition;
        private final long offset;
        private final Content content;
        private final @Nullable Content asVerdict;
        private boolean repeated;

        /** @param asVerdict what a duplicate without its value is recognised by; null where there can be none */
        Taken(TopicPartition partition, long offset, Content content, @Nullable Content asVerdict) {
            this.partition = partition;
            this.offset = offset;
            this.content = content;
            this.asVerdict = asVerdict;
        }

        TopicPartition partition() {
            return partition;
        }

        long offset() {
            return offset;
        }

        Content content() {
            return content;
        }

        @Nullable
        Content asVerdict() {
            return asVerdict;
        }

        /** There are others of equal content near it, so that nobody can tell which is which. */
        void repeat() {
            repeated = true;
        }

        @Override
        public String toString() {
            return partition + " offset " + offset;
        }
    }

    /**
     * A record that came out.
     *
     * @param source where it came in; null where it does not say so
     * @param hasContent whether it has the key, the value and the headers that came in
     */
    record Left(
            TopicPartition partition,
            long offset,
            Content content,
            @Nullable Position source,
            boolean hasContent) {
        @Override
        public String toString() {
            return partition + " offset " + offset;
        }
    }

    boolean isInOrderWith(Matched other) {
        return taken.offset > other.taken.offset == isBehind(other);
    }

    boolean isBehind(Matched other) {
        return left.offset > other.left.offset;
    }

    /** Whether it may be another record of equal content that came out here. */
    boolean isUncertain() {
        return left.source == null && taken.repeated;
    }

    /** Whether the record that came out says where it came in. */
    boolean isCertain() {
        return left.source != null;
    }

    @Override
    public String toString() {
        return left + " is " + taken;
    }
}
