package io.neardup.streams.metrics;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * What the tasks of this process did since it started, and what they hold: the one place where Prometheus and the page
 * read it. Tasks come and go; their totals stay. Each counts by a {@link TaskCounts}. Thread-safe.
 */
public final class ServiceCounts {
    public static final int LATEST_MAX = 20;

    private final Map<ServiceMetric, Map<List<String>, LongAdder>> totals = new EnumMap<>(ServiceMetric.class);
    private final Set<TaskCounts> tasks = ConcurrentHashMap.newKeySet();
    private final Map<ServiceMetric, Histogram> histograms = new EnumMap<>(ServiceMetric.class);
    private final Deque<Duplicate> latest = new ArrayDeque<>();
    private final Sources sources = new Sources();
    private final NearestSimilarities nearest = new NearestSimilarities();
    private final RecallEstimate recall = new RecallEstimate();
    private final DiskFailures disk = new DiskFailures();

    public ServiceCounts() {
        for (ServiceMetric metric : ServiceMetric.values()) {
            totals.put(metric, new ConcurrentHashMap<>());
            if (metric.kind() == ServiceMetric.Kind.HISTOGRAM) {
                histograms.put(metric, new Histogram(metric.bounds()));
            }
        }
    }

    /**
     * A duplicate that has left.
     *
     * @param original its id
     * @param similarity to that
     * @param millis when it left
     */
    public record Duplicate(String id, String original, double similarity, long millis) {}

    public TaskCounts ofTask() {
        return new TaskCounts(this);
    }

    /**
     * A total that rises.
     *
     * @param labels a value for each label of the metric
     */
    public LongAdder total(ServiceMetric metric, String... labels) {
        requireLabels(metric, labels);
        return Objects.requireNonNull(totals.get(metric)).computeIfAbsent(List.of(labels), unused -> new LongAdder());
    }

    /** Lets be seen what a task holds, until it closes. */
    void open(TaskCounts task) {
        tasks.add(task);
    }

    void close(TaskCounts task) {
        tasks.remove(task);
    }

    static void requireLabels(ServiceMetric metric, String... labels) {
        if (labels.length != metric.labels().size()) {
            throw new IllegalArgumentException(
                    metric.title() + ": expected values of " + metric.labels() + ", found " + Arrays.toString(labels));
        }
    }

    /** How often values lay where, of a metric that is a histogram. */
    public Histogram histogram(ServiceMetric metric) {
        return Objects.requireNonNull(histograms.get(metric), metric.title());
    }

    public void addLatest(Duplicate duplicate) {
        synchronized (latest) {
            latest.addFirst(duplicate);
            if (latest.size() > LATEST_MAX) {
                latest.removeLast();
            }
        }
    }

    /** The duplicates that left last, at most {@value #LATEST_MAX}, the latest first. */
    public List<Duplicate> latest() {
        synchronized (latest) {
            return List.copyOf(latest);
        }
    }

    /** None where the settings name no source. */
    public Sources sources() {
        return sources;
    }

    /** Of documents, how similar their nearest originals are. */
    public NearestSimilarities nearest() {
        return nearest;
    }

    /** Of duplicates; none where the chance to share a bucket is not that of what is judged. */
    public RecallEstimate recall() {
        return recall;
    }

    /** What the disk of the state did not take. */
    public DiskFailures disk() {
        return disk;
    }

    /** The values of a counter or a gauge by those of its labels; while a task moves, the greater one of two. */
    public Map<List<String>, Long> byLabels(ServiceMetric metric) {
        Map<List<String>, Long> values = new HashMap<>();
        Objects.requireNonNull(totals.get(metric)).forEach((labels, total) -> values.put(labels, total.sum()));
        tasks.forEach(task -> task.gauges(metric).forEach((labels, now) -> values.merge(labels, now, Math::max)));
        return values;
    }

    /** The values of a counter or a gauge, whatever their labels. */
    public LongStream values(ServiceMetric metric) {
        return byLabels(metric).values().stream().mapToLong(Long::longValue);
    }

    /** The sum of those whose first label has this value. */
    public long sum(ServiceMetric metric, String firstLabel) {
        return byLabels(metric).entrySet().stream()
                .filter(value -> value.getKey().get(0).equals(firstLabel))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** How long the oldest record in flight has been so; 0 where there is none. */
    public double oldestPendingSeconds(long nowMillis) {
        long taken = values(ServiceMetric.PENDING_OLDEST_SECONDS)
                .filter(millis -> millis > 0)
                .min()
                .orElse(Long.MAX_VALUE);
        return Math.max(0, nowMillis - taken) / 1_000.0;
    }

    /** How often values lay between given bounds. Thread-safe. */
    public static final class Histogram {
        private final double[] bounds;
        private final long[] counts;
        private double sum;

        /** @param bounds the highest value of each bucket, ascending; one more bucket takes what is above */
        Histogram(double... bounds) {
            this.bounds = bounds.clone();
            this.counts = new long[bounds.length + 1];
        }

        /**
         * What was counted by a moment.
         *
         * @param bounds the highest value of each bucket but the last
         * @param counts of each bucket alone, the last of what is above all bounds
         */
        @SuppressWarnings("ArrayRecordComponent") // Made for one reader, and never compared.
        public record Snapshot(double[] bounds, long[] counts, double sum) {
            /** How many values there were. */
            public long total() {
                return LongStream.of(counts).sum();
            }
        }

        public synchronized Snapshot snapshot() {
            return new Snapshot(bounds.clone(), counts.clone(), sum);
        }

        /** Counts a value that came so often. */
        public synchronized void add(double value, long times) {
            int bucket = 0;
            while (bucket < bounds.length && value > bounds[bucket]) {
                bucket++;
            }
            counts[bucket] += times;
            sum += value * times;
        }
    }

    /**
     * The source of most records that wait for long.
     *
     * @param records of it
     * @param lookedAt records of any source, and of none
     */
    public record WaitingSource(String name, long records, long lookedAt) {}

    /** Of those that tasks looked at; empty where no record waits for long, or none names a source. */
    public Optional<WaitingSource> waiting() {
        Map<String, Long> counts = tasks.stream()
                .flatMap(task -> task.waiting().stream())
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        long lookedAt = counts.values().stream().mapToLong(Long::longValue).sum();
        return counts.entrySet().stream()
                .filter(count -> !count.getKey().isEmpty())
                .max(Map.Entry.<String, Long>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .map(count -> new WaitingSource(count.getKey(), count.getValue(), lookedAt));
    }
}
