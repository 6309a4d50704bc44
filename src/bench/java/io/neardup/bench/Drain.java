package io.neardup.bench;

import io.neardup.bench.BenchReports.Counts;
import io.neardup.bench.BenchReports.Speed;
import io.neardup.bench.Window.Sample;
import io.neardup.bench.WorkerProcess.Figures;
import io.neardup.bench.WorkerProcess.Pause;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Waits until the documents of a trial have come out, and measures meanwhile. For one call of {@link #run}.
 *
 * <p>Meanwhile only the subject and the broker work. The ends of the output topics are looked at 20 times a second;
 * what lies below them is counted afterwards. Processor time is what the system has counted for each of the two
 * processes.
 */
final class Drain {
    private static final long SAMPLE_MILLIS = 50;
    private static final long FIGURES_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(60);
    /** Until the pauses of the garbage collector are known. */
    private static final long PAUSES_LATE_MILLIS = 1_200;

    private final Trial trial;
    private final long first;
    private final int count;
    private final List<Observation> seen = new ArrayList<>();
    private @Nullable Mark from;
    private @Nullable Mark to;
    private long movedNanos;
    private long askedNanos;
    /** The ends at which the outputs were read in vain. */
    private long readSum = -1;

    /**
     * A drain that has not begun.
     *
     * @param first the lowest number of a document
     * @param count how many there are
     */
    Drain(Trial trial, long first, int count) {
        this.trial = trial;
        this.first = first;
        this.count = count;
    }

    /**
     * What was seen of a drain at a moment. What it means in documents is known only after the outputs were read.
     *
     * @param nanos by a monotonic clock
     * @param epochMillis the same moment
     * @param ends of the output partitions, committed; they count the markers of transactions too
     */
    record Observation(long nanos, long epochMillis, List<Long> ends, long cpuNanos, long brokerCpuNanos) {
        long sumOfEnds() {
            return ends.stream().mapToLong(Long::longValue).sum();
        }

        /** The same moment with the ends of another. */
        Observation withEnds(List<Long> others) {
            return new Observation(nanos, epochMillis, others, cpuNanos, brokerCpuNanos);
        }

        Sample sample(CommittedOutput output) {
            return new Sample(nanos, output.countBelow(ends), cpuNanos, brokerCpuNanos);
        }
    }

    /**
     * What a drain came to.
     *
     * @param samples in the order of time, from 0 documents to all
     * @param allocatedBytesPerDocument by all threads of the subject, in its steady part
     * @param pausesMillis of its garbage collector in the steady part
     */
    record Result(List<Sample> samples, Counts counts, double allocatedBytesPerDocument, List<Double> pausesMillis) {
        Speed speed() {
            return Window.of(samples).speed();
        }
    }

    /** What the subject said of itself at a moment. */
    private record Mark(Observation at, Figures figures) {}

    /**
     * Returns when all documents have come out.
     *
     * @param feed lets them in: starts the subject, or fills its input; what that costs does not count
     * @throws BenchException if the subject fails, comes to a stop, or lets out a document twice
     */
    Result run(Runnable feed) {
        List<Long> ends = trial.observe().ends();
        feed.run();
        seen.add(trial.observe().withEnds(ends));
        movedNanos = System.nanoTime();
        CommittedOutput output = null;
        while (output == null) {
            Trial.pause(SAMPLE_MILLIS);
            observe();
            output = readIfComplete();
        }
        Trial.pause(PAUSES_LATE_MILLIS);
        return result(output, trial.figures());
    }

    private void observe() {
        Observation before = last();
        Observation now = trial.observe();
        seen.add(now);
        if (now.sumOfEnds() > before.sumOfEnds()) {
            movedNanos = now.nanos();
        } else if (now.nanos() - movedNanos > STALLED_NANOS) {
            throw new BenchException("no document has come out for "
                    + TimeUnit.NANOSECONDS.toSeconds(STALLED_NANOS) + " s; about " + cameOut() + " of " + count
                    + " had before");
        }
        mark(now);
        if (now.nanos() - askedNanos > FIGURES_NANOS) {
            // It fails if the subject has.
            trial.figures();
            askedNanos = now.nanos();
            trial.progress()
                    .update(String.format(Locale.ROOT, "%,d of %,d documents", Math.min(count, cameOut()), count));
        }
    }

    private void mark(Observation now) {
        if (from == null && cameOut() >= Window.FROM * count) {
            from = new Mark(now, trial.figures());
        }
        if (to == null && cameOut() >= Window.TO * count) {
            to = new Mark(now, trial.figures());
        }
    }

    private Observation last() {
        return seen.get(seen.size() - 1);
    }

    /** A little too many: the markers of transactions count too. */
    private long cameOut() {
        return last().sumOfEnds() - seen.get(0).sumOfEnds();
    }

    private @Nullable CommittedOutput readIfComplete() {
        Observation last = last();
        boolean due = cameOut() >= count && last.nanos() - movedNanos > QUIET_NANOS && last.sumOfEnds() != readSum;
        if (!due) {
            return null;
        }
        readSum = last.sumOfEnds();
        CommittedOutput output = trial.read(seen.get(0).ends(), last.ends(), first);
        if (output.repeated() > 0) {
            throw new BenchException(output.repeated() + " documents came out more than once");
        }
        return output.distinct() == count ? output : null;
    }

    private Result result(CommittedOutput output, Figures figures) {
        List<Sample> samples =
                seen.stream().map(observation -> observation.sample(output)).toList();
        return new Result(
                samples,
                new Counts(
                        output.count(trial.unique()),
                        output.count(trial.duplicates()),
                        output.count(trial.deadLetters())),
                allocatedBytesPerDocument(output),
                pauses(figures.pauses()));
    }

    private double allocatedBytesPerDocument(CommittedOutput output) {
        if (from == null || to == null) {
            return 0;
        }
        long documents = output.countBelow(to.at.ends()) - output.countBelow(from.at.ends());
        long bytes = to.figures.allocatedBytes() - from.figures.allocatedBytes();
        return documents > 0 ? bytes / (double) documents : 0;
    }

    private List<Double> pauses(List<Pause> pauses) {
        if (from == null || to == null) {
            return List.of();
        }
        long start = from.at.epochMillis();
        long end = to.at.epochMillis();
        return pauses.stream()
                .filter(pause -> pause.atMillis() >= start && pause.atMillis() <= end)
                .map(Pause::millis)
                .toList();
    }
}
