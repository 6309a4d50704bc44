package io.neardup.bench;

import io.neardup.bench.Bench.Input;
import io.neardup.bench.BenchReports.Growth;
import io.neardup.bench.BenchReports.Restart;
import io.neardup.bench.BenchReports.Size;
import io.neardup.bench.WorkerProcess.Figures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;

/**
 * The service with an index that grows. The service fills it by itself, with the documents of the comparison.
 *
 * <p>The documents come in portions. Each is loaded, becomes visible all at once, and is drained. The rate at a size is
 * that of the portion in which the index reaches it. What was drained is purged from input and outputs. In the end the
 * service is started anew: after a stop, after a kill in the middle of a portion, and after its state folder was lost;
 * and the same with an index that was empty before that portion.
 */
final class GrowthRun {
    private static final long DRAIN_SECONDS_MAX = 300;
    private static final long OBSERVE_MILLIS = 50;

    private final Bench bench;
    private final Bench.Options options;
    private WorkerProcess service;
    private long originals;

    /** Starts the service's process. */
    GrowthRun(Bench bench) throws IOException {
        this.bench = bench;
        this.options = bench.options();
        this.service = bench.worker(Subject.Kind.SERVICE);
    }

    /** @param sizes originals, rising */
    Growth run(List<Long> sizes) throws IOException {
        Input warmUp = bench.load("warm-up", options.partitions(), 0, options.documents());
        WarmUp.run(bench, service, "service", warmUp, options.documents());
        Input input = bench.load("documents", options.partitions(), 0, 0);
        Trial trial = new Trial(bench, service, "growth", input, Map.of());
        trial.start();
        List<Size> reached = new ArrayList<>();
        int portion = portionOf(sizes);
        long next = 0;
        for (; reached.size() < sizes.size(); next += portion) {
            Size size = portion(trial, input, next, portion);
            while (reached.size() < sizes.size() && size.originals() >= sizes.get(reached.size())) {
                reached.add(size);
            }
        }
        double ratio = rate(reached.get(reached.size() - 1)) / rate(reached.get(0));
        Restart restart = restart(trial, input, next, portion);
        purge(BenchCluster.partitions(List.of(input.topic()), input.partitions()));
        bench.progress().phase("an empty index");
        Trial empty = new Trial(bench, service, "empty", input, Map.of());
        empty.start();
        Restart ofEmpty = restart(empty, input, next + portion, portion);
        return new Growth(bench.corpus(), options.partitions(), ratio, reached, restart, ofEmpty);
    }

    private Restart restart(Trial trial, Input input, long next, int portion) throws IOException {
        bench.progress().phase("restart after a stop");
        trial.stop();
        service.close();
        double cleanSeconds = start(trial);
        bench.progress().phase("restart after a kill");
        Recovery recovery = new Recovery(trial, input, next, portion);
        Drain.Result drained = new Drain(trial, next, portion).run(recovery);
        trial.stop();
        service.close();
        bench.progress().phase("restart without the state folder");
        trial.deleteState();
        double lostSeconds = start(trial);
        trial.stop();
        return new Restart(
                cleanSeconds,
                recovery.runningSeconds,
                recovery.secondsUntil(drained, recovery.firstAfterKill()),
                recovery.secondsUntil(drained, portion),
                lostSeconds);
    }

    /** A kill in the middle of a drain, and the start after it. */
    private final class Recovery implements Runnable {
        private final Trial trial;
        private final Input input;
        private final long next;
        private final int portion;
        private long startNanos;
        private List<Long> endsBefore = List.of();
        private List<Long> endsAtKill = List.of();
        private double runningSeconds;

        Recovery(Trial trial, Input input, long next, int portion) {
            this.trial = trial;
            this.input = input;
            this.next = next;
            this.portion = portion;
        }

        @Override
        public void run() {
            endsBefore = trial.observe().ends();
            killInTheMiddle(trial, input, next, portion);
            endsAtKill = bench.cluster().committedEnds(trial.outputs());
            startNanos = System.nanoTime();
            try {
                runningSeconds = start(trial);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** How many documents are out with the first that comes after the kill; all, where none was left to come. */
        long firstAfterKill() {
            return Math.min(
                    portion, 1 + trial.read(endsBefore, endsAtKill, next).distinct());
        }

        /** From the start of the process until so many documents of the drain were out, as far as one looked. */
        double secondsUntil(Drain.Result drained, long documents) {
            return drained.samples().stream()
                    .filter(sample -> sample.documents() >= documents)
                    .mapToDouble(sample -> (sample.nanos() - startNanos) / 1e9)
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Documents are in flight then, and a transaction is open. */
    private void killInTheMiddle(Trial trial, Input input, long next, int portion) {
        long before = trial.observe().sumOfEnds();
        bench.loader().load(input.topic(), input.partitions(), next, next + portion);
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(DRAIN_SECONDS_MAX);
        while (trial.observe().sumOfEnds() < before + portion / 4) {
            if (System.nanoTime() > deadlineNanos) {
                throw new BenchException("no quarter of " + portion + " documents has come out within "
                        + DRAIN_SECONDS_MAX + " s after a restart");
            }
            Trial.pause(OBSERVE_MILLIS);
        }
        service.kill();
    }

    private double start(Trial trial) throws IOException {
        long fromNanos = System.nanoTime();
        service = bench.worker(Subject.Kind.SERVICE);
        trial.start(service);
        return (System.nanoTime() - fromNanos) / 1e9;
    }

    private static double rate(Size size) {
        return size.speed().documentsPerSecond();
    }

    /** The documents of a round, or fewer where a smaller portion leads from one size to the next. */
    private int portionOf(List<Long> sizes) {
        long portion = options.documents();
        long before = 0;
        for (long size : sizes) {
            portion = Math.min(portion, Math.max(size - before, Bench.DOCUMENTS_MIN));
            before = size;
        }
        return (int) portion;
    }

    private Size portion(Trial trial, Input input, long first, int count) {
        long end = first + count;
        bench.progress().phase(String.format(Locale.ROOT, "documents %,d to %,d", first, end));
        Drain.Result drained = new Drain(trial, first, count)
                .run(() -> bench.loader().load(input.topic(), input.partitions(), first, end));
        bench.rates().add(String.format(Locale.ROOT, "to %,d documents", end), drained.samples());
        originals += drained.counts().unique();
        Figures figures = trial.figuresAfterGc();
        purge(BenchCluster.partitions(List.of(input.topic()), input.partitions()));
        purge(trial.outputs());
        return new Size(originals, drained.speed(), figures.indexBytes(), figures.heapBytes());
    }

    private void purge(List<TopicPartition> partitions) {
        bench.cluster().purge(partitions, bench.cluster().committedEnds(partitions));
    }
}
