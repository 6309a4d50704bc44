package io.neardup.tools.audit;

import io.neardup.record.Verdict;
import java.io.IOException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Compares the verdicts of two services on the positions that both have, one input partition after the other. What it
 * holds does not grow with the verdicts. A lane that holds verdicts on several input partitions is read once for each.
 */
public final class VerdictDiff {
    private static final int TOLD_PAIRS = 1_000;

    private final VerdictLog a;
    private final VerdictLog b;
    private final Consumer<String> progress;
    private final Set<InputPartition> found = new LinkedHashSet<>();
    private final DiffTally tally;
    private LeftOut leftOutOfA = LeftOut.NONE;
    private LeftOut leftOutOfB = LeftOut.NONE;

    /**
     * @param examplesMax of each way in which they part, 0 or more
     * @param progress told how far it is
     */
    public VerdictDiff(VerdictLog a, VerdictLog b, int examplesMax, Consumer<String> progress) {
        this.a = a;
        this.b = b;
        this.progress = progress;
        this.tally = new DiffTally(examplesMax);
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
        Set<InputPartition> done = new HashSet<>();
        for (InputPartition next = next(done); next != null; next = next(done)) {
            join(next);
            done.add(next);
        }
        if (tally.pairs() == 0) {
            throw new IOException("expected verdicts of both on the same positions of an input, found none: "
                    + a.name() + " has " + leftOutOfA.sum() + " on others, and " + b.name() + " " + leftOutOfB.sum()
                    + "; both are to judge the same topic, or the same file with as many partitions");
        }
        return tally.report(a.name(), leftOutOfA, b.name(), leftOutOfB);
    }

    /** Every lane is read to its end for the sake of one, so that all are met. */
    private void findFirsts(VerdictLog log) throws IOException {
        for (int lane = 0; lane < log.lanes(); lane++) {
            try (VerdictLog.Lane reading = log.open(lane)) {
                Verdict first = reading.next();
                if (first != null) {
                    found.add(InputPartition.of(first));
                }
            }
        }
    }

    private @Nullable InputPartition next(Set<InputPartition> done) {
        Iterator<InputPartition> left =
                found.stream().filter(partition -> !done.contains(partition)).iterator();
        return left.hasNext() ? left.next() : null;
    }

    private void join(InputPartition partition) throws IOException {
        try (VerdictLog.Lane laneOfA = a.open(partition.number() % a.lanes());
                VerdictLog.Lane laneOfB = b.open(partition.number() % b.lanes())) {
            VerdictJoin join = new VerdictJoin(laneOfA, laneOfB, partition, found);
            join.read((one, other) -> {
                tally.add(one, other);
                if (tally.pairs() % TOLD_PAIRS == 0) {
                    tell(partition);
                }
            });
            leftOutOfA = leftOutOfA.plus(join.leftOutOfA());
            leftOutOfB = leftOutOfB.plus(join.leftOutOfB());
        }
        tally.endPartition();
        tell(partition);
    }

    private void tell(InputPartition partition) {
        progress.accept(String.format(Locale.ROOT, "%,d records compared, those of %s now", tally.pairs(), partition));
    }
}
