package io.neardup.tools.audit;

import io.neardup.record.Verdict;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The verdicts of two lanes on one input partition, pair by pair: both sides stand in the order of the input, so that
 * one of each is all that is held. Verdicts on other input partitions are skipped, and named.
 */
final class VerdictJoin {
    private final Side a;
    private final Side b;
    private boolean paired;

    /** What is done with the verdicts on one position. */
    interface Pairs {
        void accept(Verdict a, Verdict b);
    }

    /** @param found gets every input partition that is met */
    VerdictJoin(VerdictLog.Lane a, VerdictLog.Lane b, InputPartition partition, Set<InputPartition> found) {
        this.a = new Side(a, partition, found);
        this.b = new Side(b, partition, found);
    }

    /** Reads both to their ends. */
    void read(Pairs pairs) throws IOException {
        Verdict first = a.next();
        Verdict second = b.next();
        while (first != null || second != null) {
            int order = order(first, second);
            if (order == 0 && first != null && second != null) {
                paired = true;
                a.pair();
                b.pair();
                pairs.accept(first, second);
            } else if (order < 0) {
                a.leaveOut(paired);
            } else {
                b.leaveOut(paired);
            }
            first = order <= 0 ? a.next() : first;
            second = order >= 0 ? b.next() : second;
        }
    }

    /** An end is behind all. */
    private static int order(@Nullable Verdict first, @Nullable Verdict second) {
        if (first == null) {
            return 1;
        }
        return second == null
                ? -1
                : Long.compare(first.position().offset(), second.position().offset());
    }

    LeftOut leftOutOfA() {
        return a.leftOut();
    }

    LeftOut leftOutOfB() {
        return b.leftOut();
    }

    private static final class Side {
        private final VerdictLog.Lane lane;
        private final InputPartition partition;
        private final Set<InputPartition> found;
        private long last = -1;
        private long before;
        private long between;
        /** Since the last pair. */
        private long open;

        Side(VerdictLog.Lane lane, InputPartition partition, Set<InputPartition> found) {
            this.lane = lane;
            this.partition = partition;
            this.found = found;
        }

        @Nullable
        Verdict next() throws IOException {
            for (Verdict verdict = lane.next(); verdict != null; verdict = lane.next()) {
                InputPartition of = InputPartition.of(verdict);
                if (of.equals(partition)) {
                    requireOrder(verdict);
                    return verdict;
                }
                found.add(of);
            }
            return null;
        }

        private void requireOrder(Verdict verdict) throws IOException {
            long offset = verdict.position().offset();
            if (offset <= last) {
                throw new IOException("verdicts on " + partition + ": expected them in the order of the input, found"
                        + " that on offset " + offset + " behind that on offset " + last
                        + ": two services wrote there, or one wrote all once more after a reset, or the input was made"
                        + " again; --since leaves out what was written before a time");
            }
            last = offset;
        }

        void leaveOut(boolean paired) {
            if (paired) {
                open++;
            } else {
                before++;
            }
        }

        void pair() {
            between += open;
            open = 0;
        }

        LeftOut leftOut() {
            return new LeftOut(before, between, open);
        }
    }
}
