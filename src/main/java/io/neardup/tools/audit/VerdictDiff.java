package io.neardup.tools.audit;

import io.neardup.record.Verdict;
import io.neardup.tools.audit.DiffReport.Pair;
import io.neardup.tools.audit.DiffReport.Tally;
import io.neardup.tools.audit.VerdictLog.Lane;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
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
    /** Every input partition that was met. */
    private final Set<TopicPartition> found = new LinkedHashSet<>();

    private final Tally tally;
    private long unmatchedOfA;
    private long unmatchedOfB;

    /**
     * @param examplesMax of each way in which they part, 0 or more
     * @param progress told how far it is
     */
    public VerdictDiff(VerdictLog a, VerdictLog b, int examplesMax, Consumer<String> progress) {
        this.a = a;
        this.b = b;
        this.progress = progress;
        this.tally = new Tally(examplesMax);
    }

    /**
     * Reads both.
     *
     * @throws IOException if one cannot be read, is not in the order of the input, or there is no position that both
     *     have
     */
    public DiffReport run() throws IOException {
        findFirsts(a);
        findFirsts(b);
        Set<TopicPartition> done = new HashSet<>();
        for (Optional<TopicPartition> next = next(done); next.isPresent(); next = next(done)) {
            join(next.get());
            done.add(next.get());
        }
        if (tally.pairs() == 0) {
            throw new IOException("expected verdicts of both on the same positions of an input, found none: "
                    + a.name() + " has " + unmatchedOfA + " on others, and " + b.name() + " " + unmatchedOfB
                    + "; both are to judge the same topic, or the same file with as many partitions");
        }
        return tally.report(a.name(), unmatchedOfA, b.name(), unmatchedOfB);
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
                    found.add(partition(first));
                }
            }
        }
    }

    private Optional<TopicPartition> next(Set<TopicPartition> done) {
        return found.stream().filter(partition -> !done.contains(partition)).findFirst();
    }

    private void join(TopicPartition partition) throws IOException {
        try (Lane laneOfA = a.opener().open(partition.partition() % a.lanes());
                Lane laneOfB = b.opener().open(partition.partition() % b.lanes())) {
            join(new Side(laneOfA, partition), new Side(laneOfB, partition), partition);
        }
        say(partition);
    }

    private void join(Side sideA, Side sideB, TopicPartition partition) throws IOException {
        Verdict first = sideA.next();
        Verdict second = sideB.next();
        for (long read = 1; first != null || second != null; read++) {
            if (read % SAID_PAIRS == 0) {
                say(partition);
            }
            int order = order(first, second);
            if (first != null && second != null && order == 0) {
                tally.add(new Pair(first, second));
            } else if (order < 0) {
                unmatchedOfA++;
            } else {
                unmatchedOfB++;
            }
            first = order <= 0 ? sideA.next() : first;
            second = order >= 0 ? sideB.next() : second;
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

    private void say(TopicPartition partition) {
        progress.accept(String.format(Locale.ROOT, "%,d records compared, those of %s now", tally.pairs(), partition));
    }

    /** The verdicts of one lane on the input partition; others are skipped, and noted. */
    private final class Side {
        private final Lane lane;
        private final TopicPartition partition;
        private long last = -1;

        Side(Lane lane, TopicPartition partition) {
            this.lane = lane;
            this.partition = partition;
        }

        @Nullable
        Verdict next() throws IOException {
            for (Verdict verdict = lane.next(); verdict != null; verdict = lane.next()) {
                TopicPartition of = partition(verdict);
                if (of.equals(partition)) {
                    requireOrder(verdict.position().offset());
                    return verdict;
                }
                found.add(of);
            }
            return null;
        }

        private void requireOrder(long offset) throws IOException {
            if (offset <= last) {
                throw new IOException("verdicts on " + partition + ": expected them in the order of the input, found"
                        + " that on offset " + offset + " behind that on offset " + last
                        + ": two services wrote there, or one wrote all once more after a reset, or the input was made"
                        + " again; --since skips what was written before a time");
            }
            last = offset;
        }
    }
}
