package io.neardup.tools.audit;

import io.neardup.record.Verdict;
import io.neardup.tools.audit.DiffReport.Pair;
import io.neardup.tools.audit.DiffReport.Tally;
import io.neardup.tools.audit.VerdictLog.Lane;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Compares the verdicts of two services on the positions that both have, one input partition after the other. Both
 * sides stand in the order of the input, so that one verdict of each is all that is held. A lane that holds verdicts on
 * several input partitions is read once for each.
 */
public final class VerdictDiff {
    private static final int SAID_PAIRS = 1_000;

    private final VerdictLog a;
    private final VerdictLog b;
    private final Consumer<String> progress;
    /** Every input partition that was met, and those of them whose verdicts are still to be compared. */
    private final Set<TopicPartition> met = new HashSet<>();

    private final Queue<TopicPartition> remaining = new ArrayDeque<>();

    private final Tally tally = new Tally();
    private long unmatchedOfA;
    private long unmatchedOfB;

    public VerdictDiff(VerdictLog a, VerdictLog b, Consumer<String> progress) {
        this.a = a;
        this.b = b;
        this.progress = progress;
    }

    /**
     * Reads both.
     *
     * @throws IOException if one cannot be read or is not in the order of the input, or no position is in both
     */
    public DiffReport run() throws IOException {
        findFirsts(a);
        findFirsts(b);
        for (TopicPartition next = remaining.poll(); next != null; next = remaining.poll()) {
            join(next);
        }
        if (tally.pairs() == 0) {
            throw new IOException("expected verdicts of both on the same positions of an input, found none: "
                    + a.name() + " has " + unmatchedOfA + " on others, and " + b.name() + " " + unmatchedOfB
                    + "; both are to judge the same topic, or the same file with as many partitions");
        }
        return tally.report(a.name(), unmatchedOfA, b.name(), unmatchedOfB);
    }

    private void meet(TopicPartition partition) {
        if (met.add(partition)) {
            remaining.add(partition);
        }
    }

    private static TopicPartition partition(Verdict verdict) {
        return new TopicPartition(verdict.position().topic(), verdict.position().partition());
    }

    /** Every lane is read to its end for the sake of one, so that all are met. */
    private void findFirsts(VerdictLog log) throws IOException {
        for (int lane = 0; lane < log.lanes(); lane++) {
            try (Lane reading = log.opener().open(lane)) {
                Verdict first = reading.next();
                if (first != null) {
                    meet(partition(first));
                }
            }
        }
    }

    private void join(TopicPartition partition) throws IOException {
        try (Lane laneOfA = a.opener().open(partition.partition() % a.lanes());
                Lane laneOfB = b.opener().open(partition.partition() % b.lanes())) {
            Verdict first = next(laneOfA, partition, -1);
            Verdict second = next(laneOfB, partition, -1);
            for (long read = 1; first != null || second != null; read++) {
                if (read % SAID_PAIRS == 0) {
                    say(partition);
                }
                // An end is after all.
                long offsetOfA =
                        first == null ? Long.MAX_VALUE : first.position().offset();
                long offsetOfB =
                        second == null ? Long.MAX_VALUE : second.position().offset();
                if (first != null && second != null && offsetOfA == offsetOfB) {
                    tally.add(new Pair(first, second));
                } else if (offsetOfA < offsetOfB) {
                    unmatchedOfA++;
                } else {
                    unmatchedOfB++;
                }
                first = offsetOfA <= offsetOfB ? next(laneOfA, partition, offsetOfA) : first;
                second = offsetOfB <= offsetOfA ? next(laneOfB, partition, offsetOfB) : second;
            }
        }
        say(partition);
    }

    private void say(TopicPartition partition) {
        progress.accept(String.format(Locale.ROOT, "%,d records compared, those of %s now", tally.pairs(), partition));
    }

    /** The next verdict of one lane on the input partition; others are skipped, and noted. */
    private @Nullable Verdict next(Lane lane, TopicPartition partition, long last) throws IOException {
        for (Verdict verdict = lane.next(); verdict != null; verdict = lane.next()) {
            long offset = verdict.position().offset();
            if (!partition(verdict).equals(partition)) {
                meet(partition(verdict));
            } else if (offset > last) {
                return verdict;
            } else {
                throw new IOException("verdicts on " + partition + ": expected them in the order of the input, found"
                        + " that on offset " + offset + " after that on offset " + last
                        + ": two services wrote there, or one wrote all once more after a reset, or the input was made"
                        + " again; --since skips what was written before a time");
            }
        }
        return null;
    }
}
