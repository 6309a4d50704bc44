package io.neardup.tools.audit;

import io.neardup.tools.audit.InputSide.Taken;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A partition of an output: its records for which no input was read yet, and the last of each input partition. */
final class OutputSide {
    private final TopicPartition partition;
    private final Map<Long, Left> unmatched = new LinkedHashMap<>();
    private final Map<TopicPartition, Matched> last = new HashMap<>();
    private final Map<TopicPartition, Long> first = new HashMap<>();

    OutputSide(TopicPartition partition) {
        this.partition = partition;
    }

    /** A place in an input. */
    record Source(TopicPartition partition, long offset) {
        @Override
        public String toString() {
            return partition + " offset " + offset;
        }
    }

    /** A record that came in, and the one that came out. */
    record Matched(Taken taken, Left left) {
        boolean isInOrderWith(Matched other) {
            return taken.offset() > other.taken.offset() == isBehind(other);
        }

        boolean isBehind(Matched other) {
            return left.offset > other.left.offset;
        }

        /** Whether it may be another record of equal content that came out here. */
        boolean isUncertain() {
            return left.source == null && taken.isRepeated();
        }

        /** Whether the record that came out says where it came in. */
        boolean isCertain() {
            return left.source != null;
        }

        RecordContent content() {
            return taken.content();
        }

        @Override
        public String toString() {
            return left + " is " + taken;
        }
    }

    /** A record that came out. */
    static final class Left {
        private final OutputSide side;
        private final long offset;
        private final RecordContent content;
        private final @Nullable Source source;
        private final boolean valueLeftOut;

        /**
         * @param source where it came in; null where it does not say so
         * @param valueLeftOut whether the output could not carry the value
         */
        Left(OutputSide side, long offset, RecordContent content, @Nullable Source source, boolean valueLeftOut) {
            this.side = side;
            this.offset = offset;
            this.content = content;
            this.source = source;
            this.valueLeftOut = valueLeftOut;
        }

        TopicPartition partition() {
            return side.partition;
        }

        OutputSide side() {
            return side;
        }

        long offset() {
            return offset;
        }

        RecordContent content() {
            return content;
        }

        @Nullable
        Source source() {
            return source;
        }

        boolean isValueLeftOut() {
            return valueLeftOut;
        }

        @Override
        public String toString() {
            return side.partition + " offset " + offset;
        }
    }

    Map<Long, Left> unmatched() {
        return unmatched;
    }

    void noteFirst(TopicPartition input, long outputOffset) {
        first.merge(input, outputOffset, Math::min);
    }

    /** The first offset at which a record of the input partition came out; above all others where none did. */
    long firstOf(TopicPartition input) {
        return first.getOrDefault(input, Long.MAX_VALUE);
    }

    /** The record of the input partition that stands last here; null where none does. */
    @Nullable
    Matched lastOf(TopicPartition input) {
        return last.get(input);
    }

    void setLast(TopicPartition input, Matched matched) {
        last.put(input, matched);
    }
}
