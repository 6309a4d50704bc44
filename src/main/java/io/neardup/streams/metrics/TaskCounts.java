package io.neardup.streams.metrics;

import io.neardup.engine.protocol.CoordinatorCounts.Tally;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.IntToDoubleFunction;

/**
 * What one task counts. Counters reach the process only at a commit, so that work repeated after an abort counts once:
 * totals are given as sums since the task started; single events are noted, and added by {@link #addNoted}. One thread
 * writes it; gauges and waiting sources are read by others.
 */
public final class TaskCounts implements AutoCloseable {
    private final ServiceCounts process;
    private final IdentityHashMap<LongAdder, Long> added = new IdentityHashMap<>();
    private final Map<ServiceMetric, long[]> addedTallies = new EnumMap<>(ServiceMetric.class);
    private final List<Consumer<ServiceCounts>> noted = new ArrayList<>();
    private final Map<ServiceMetric, Map<List<String>, Long>> gauges = new ConcurrentHashMap<>();
    private volatile List<String> waiting = List.of();

    TaskCounts(ServiceCounts process) {
        this.process = process;
    }

    /**
     * A total.
     *
     * @param sinceStart of this task
     */
    public void total(ServiceMetric metric, long sinceStart, String... labels) {
        LongAdder total = process.total(metric, labels);
        Long before = added.put(total, sinceStart);
        total.add(sinceStart - (before == null ? 0 : before));
    }

    /** A value that comes and goes, and is gone when the task closes. */
    public void gauge(ServiceMetric metric, long value, String... labels) {
        ServiceCounts.requireLabels(metric, labels);
        gauges.computeIfAbsent(metric, unused -> new ConcurrentHashMap<>()).put(List.of(labels), value);
        process.open(this);
    }

    Map<List<String>, Long> gauges(ServiceMetric metric) {
        return gauges.getOrDefault(metric, Map.of());
    }

    /**
     * Values of a histogram that are counted elsewhere.
     *
     * @param sinceStart of this task
     * @param value of a number in the histogram; NaN where it has none
     */
    public void tally(ServiceMetric metric, Tally sinceStart, IntToDoubleFunction value) {
        long[] before = addedTallies.getOrDefault(metric, new long[0]);
        if (before.length < sinceStart.size()) {
            before = Arrays.copyOf(before, sinceStart.size());
            addedTallies.put(metric, before);
        }
        for (int number = 0; number < sinceStart.size(); number++) {
            long more = sinceStart.times(number) - before[number];
            before[number] += more;
            double of = value.applyAsDouble(number);
            if (more > 0 && !Double.isNaN(of)) {
                process.histogram(metric).add(of, more);
            }
        }
    }

    /** Notes what is to be counted of one document when that is committed, see {@link #addNoted}. */
    public void note(Consumer<ServiceCounts> counting) {
        noted.add(counting);
    }

    /** Notes one more of a total until {@link #addNoted}. */
    public void note(ServiceMetric metric, String... labels) {
        note(all -> all.total(metric, labels).increment());
    }

    /** What was noted is committed. */
    public void addNoted() {
        List<Consumer<ServiceCounts>> committed = List.copyOf(noted);
        noted.clear(); // Before: where one fails, none counts twice.
        committed.forEach(counting -> counting.accept(process));
    }

    /**
     * Which sources some records have that wait for long, in place of those before.
     *
     * @param names one for each record looked at; empty for a record without a source; none where none waits
     */
    public void waiting(List<String> names) {
        waiting = List.copyOf(names);
        process.open(this);
    }

    List<String> waiting() {
        return waiting;
    }

    @Override
    public void close() {
        process.close(this);
    }
}
