package io.neardup.bench;

import io.neardup.bench.Bench.Input;
import io.neardup.bench.BenchReports.Comparison;
import io.neardup.bench.BenchReports.Footprint;
import io.neardup.bench.BenchReports.Garbage;
import io.neardup.bench.BenchReports.Latency;
import io.neardup.bench.BenchReports.Round;
import io.neardup.bench.BenchReports.Speed;
import io.neardup.bench.WorkerProcess.Figures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Drains the same input by the passthrough and by the service, in turn. */
final class ComparisonRun {
    static final String PASSTHROUGH = "passthrough";
    static final String SERVICE = "service";

    private static final int PAUSE_DIGITS = 3;
    private static final double MICROS_PER_MILLI = 1e3;

    private final Bench bench;
    private final Bench.Options options;
    private final WorkerProcess passthrough;
    private final WorkerProcess service;
    private final List<Drain.Result> passthroughRounds = new ArrayList<>();
    private final List<Drain.Result> serviceRounds = new ArrayList<>();
    private @Nullable Footprint footprint;

    /** Starts the two processes. */
    ComparisonRun(Bench bench) throws IOException {
        this.bench = bench;
        this.options = bench.options();
        this.passthrough = bench.worker(Subject.Kind.PASSTHROUGH);
        this.service = bench.worker(Subject.Kind.SERVICE);
    }

    Comparison run() throws InterruptedException {
        Input input = bench.load("documents", options.partitions(), 0, options.documents());
        WarmUp.run(bench, passthrough, PASSTHROUGH, input, options.documents());
        WarmUp.run(bench, service, SERVICE, input, options.documents());
        for (int round = 1; round <= options.rounds(); round++) {
            bench.progress().phase("round " + round + " of " + options.rounds() + ", " + PASSTHROUGH);
            passthroughRounds.add(noted(PASSTHROUGH + " " + round, drainPassthrough(round, input)));
            bench.progress().phase("round " + round + " of " + options.rounds() + ", " + SERVICE);
            serviceRounds.add(noted(SERVICE + " " + round, drainService(round, input)));
        }
        double rate = medianSpeed(serviceRounds).documentsPerSecond();
        return report(new LatencyRun(bench, service).run(rate));
    }

    private Drain.Result noted(String name, Drain.Result drained) {
        bench.rates().add(name, drained.samples());
        return drained;
    }

    private Drain.Result drainPassthrough(int round, Input input) {
        Trial trial = new Trial(bench, passthrough, PASSTHROUGH + "-" + round, input, Map.of());
        trial.figuresAfterGc();
        Drain.Result drained = new Drain(trial, 0, options.documents()).run(trial::start);
        trial.stop();
        trial.delete();
        return drained;
    }

    private Drain.Result drainService(int round, Input input) {
        Trial trial = new Trial(bench, service, SERVICE + "-" + round, input, Map.of());
        Figures before = trial.figuresAfterGc();
        Drain.Result drained = new Drain(trial, 0, options.documents()).run(trial::start);
        footprint = footprint(trial, before, drained.counts().unique());
        trial.delete();
        return drained;
    }

    /** Stops the trial, as local state is on disk only then. */
    private static Footprint footprint(Trial trial, Figures before, long originals) {
        Figures after = trial.figuresAfterGc();
        trial.stop();
        double each = Math.max(1, originals);
        SortedMap<String, Double> changelogs = new TreeMap<>();
        trial.changelogBytes().forEach((store, bytes) -> changelogs.put(store, bytes / each));
        return new Footprint(
                after.indexBytes() / each,
                Math.max(0, after.heapBytes() - before.heapBytes()) / each,
                trial.stateBytes() / each,
                changelogs.values().stream().mapToDouble(Double::doubleValue).sum(),
                changelogs);
    }

    private Comparison report(List<Latency> latency) {
        Speed measured = medianSpeed(serviceRounds);
        Speed floor = medianSpeed(passthroughRounds);
        return new Comparison(
                bench.corpus(),
                options.partitions(),
                measured.documentsPerSecond() / floor.documentsPerSecond(),
                floor.cpuMicrosOfBoth() / measured.cpuMicrosOfBoth(),
                measured,
                floor,
                serviceRounds.get(serviceRounds.size() - 1).counts(),
                Objects.requireNonNull(footprint),
                garbage(),
                latency,
                rounds());
    }

    private Garbage garbage() {
        Histogram micros = new Histogram(PAUSE_DIGITS);
        serviceRounds.stream()
                .flatMap(round -> round.pausesMillis().stream())
                .forEach(millis -> micros.recordValue(Math.round(MICROS_PER_MILLI * millis)));
        return new Garbage(
                median(serviceRounds, Drain.Result::allocatedBytesPerDocument),
                micros.getValueAtPercentile(99) / MICROS_PER_MILLI,
                (int) micros.getTotalCount());
    }

    private List<Round> rounds() {
        List<Round> rounds = new ArrayList<>();
        for (int i = 0; i < serviceRounds.size(); i++) {
            rounds.add(new Round(i + 1, PASSTHROUGH, passthroughRounds.get(i).speed()));
            rounds.add(new Round(i + 1, SERVICE, serviceRounds.get(i).speed()));
        }
        return rounds;
    }

    private static Speed medianSpeed(List<Drain.Result> rounds) {
        return new Speed(
                median(rounds, round -> round.speed().documentsPerSecond()),
                median(rounds, round -> round.speed().cpuMicrosPerDocument()),
                median(rounds, round -> round.speed().brokerCpuMicrosPerDocument()));
    }

    private static double median(List<Drain.Result> rounds, ToDoubleFunction<Drain.Result> figure) {
        return median(rounds.stream().map(figure::applyAsDouble).toList());
    }

    /**
     * The middle value, or the mean of the two in the middle.
     *
     * @param values at least one
     */
    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2;
    }
}
