package io.neardup.tools.audit;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A partition of an input: its records that have not come out yet as far as was read, and how far others have. */
final class InputSide {
    private final TopicPartition partition;
    private final Map<Long, Taken> waiting = new LinkedHashMap<>();
    /** Of the first record that came out, and of the last before which all that left was read. */
    private long firstLeft = Long.MAX_VALUE;

    private long lastLeft = -1;

    InputSide(TopicPartition partition) {
        this.partition = partition;
    }

    /** A record that came in. */
    static final class Taken {
        private final InputSide side;
        private final long offset;
        private final RecordContent content;
        private final @Nullable RecordContent verdict;
        private boolean repeated;

        /** @param verdict what a verdict on it is recognised by; null where there can be none */
        Taken(InputSide side, long offset, RecordContent content, @Nullable RecordContent verdict) {
            this.side = side;
            this.offset = offset;
            this.content = content;
            this.verdict = verdict;
        }

        TopicPartition partition() {
            return side.partition;
        }

        long offset() {
            return offset;
        }

        RecordContent content() {
            return content;
        }

        @Nullable
        RecordContent verdict() {
            return verdict;
        }

        /** Whether there are others of equal content near it, so that nobody can tell which is which. */
        boolean isRepeated() {
            return repeated;
        }

        void repeat() {
            repeated = true;
        }

        /** @param settled whether all that has left before it was read too */
        void leave(boolean settled) {
            side.waiting.remove(offset);
            side.firstLeft = Math.min(side.firstLeft, offset);
            side.lastLeft = settled ? Math.max(side.lastLeft, offset) : side.lastLeft;
        }

        /** Whether a later record of its partition has left, so that this one can leave no more. */
        boolean isPassed() {
            return offset < side.lastLeft;
        }

        /** Whether none before it has left: what became of it may be deleted where an output begins later. */
        boolean isBeforeAll() {
            return offset < side.firstLeft;
        }

        @Override
        public String toString() {
            return side.partition + " offset " + offset;
        }
    }

    Map<Long, Taken> waiting() {
        return waiting;
    }

    long lastLeft() {
        return lastLeft;
    }
}
