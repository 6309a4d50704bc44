package io.neardup.streams.metrics;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;

/**
 * What the tasks of this process did since it started, and what they hold. Tasks come and go; their totals stay. Each
 * hands over what it counted when that is committed, so that nothing counts that is done again. Thread-safe.
 */
public final class ServiceCounts {
    private final Map<ServiceMetric, Map<List<String>, LongAdder>> totals = new EnumMap<>(ServiceMetric.class);
    private final Map<ServiceMetric, Map<Gauge, Long>> gauges = new EnumMap<>(ServiceMetric.class);
    private final Map<ServiceMetric, HistogramCounts> histograms = new EnumMap<>(ServiceMetric.class);
    private final LatestDuplicates latest = new LatestDuplicates();
    private final TopSources sources = new TopSources();
    private final WaitingSources waiting = new WaitingSources();
    private final DiskFailures disk = new DiskFailures();

    public ServiceCounts() {
        for (ServiceMetric metric : ServiceMetric.values()) {
            totals.put(metric, new ConcurrentHashMap<>());
            gauges.put(metric, new ConcurrentHashMap<>());
            if (metric.kind() == ServiceMetric.Kind.HISTOGRAM) {
                histograms.put(metric, new HistogramCounts(bounds(metric)));
            }
        }
    }

    /** The highest value of each bucket but the last. */
    private static double[] bounds(ServiceMetric metric) {
        return switch (metric) {
            case DECISION_SECONDS -> new double[] {.05, .1, .2, .3, .5, .75, 1, 1.5, 2, 3, 5, 10, 20, 30, 60, 120, 300};
            case SIMILARITY, CANDIDATE_SIMILARITY ->
                new double[] {
                    .05, .1, .15, .2, .25, .3, .35, .4, .45, .5, .55, .6, .65, .7, .75, .8, .85, .9, .95, .99, 1
                };
            case CANDIDATES, VERIFICATIONS -> new double[] {0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000};
            default -> throw new IllegalArgumentException(metric.title() + ": expected a histogram");
        };
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

    /** A value of one task, which it gives back when it closes. */
    public Gauge gauge(ServiceMetric metric, String... labels) {
        requireLabels(metric, labels);
        return new Gauge(Objects.requireNonNull(gauges.get(metric)), List.of(labels));
    }

    private static void requireLabels(ServiceMetric metric, String... labels) {
        if (labels.length != metric.labels().size()) {
            throw new IllegalArgumentException(
                    metric.title() + ": expected values of " + metric.labels() + ", found " + Arrays.toString(labels));
        }
    }

    /** How often values lay where, of a metric that is a histogram. */
    public HistogramCounts histogram(ServiceMetric metric) {
        return Objects.requireNonNull(histograms.get(metric), metric.title());
    }

    public LatestDuplicates latest() {
        return latest;
    }

    /** Of duplicates; none where the settings name no source. */
    public TopSources sources() {
        return sources;
    }

    /** Of records that wait for long; none where the settings name no source. */
    public WaitingSources waiting() {
        return waiting;
    }

    /** What the disk of the state did not take. */
    public DiskFailures disk() {
        return disk;
    }

    /** The totals of a counter, by the values of its labels. */
    public void forEachTotal(ServiceMetric metric, BiConsumer<List<String>, Long> action) {
        Objects.requireNonNull(totals.get(metric)).forEach((labels, total) -> action.accept(labels, total.sum()));
    }

    /** The values of a gauge, by those of its labels. */
    public void forEachGauge(ServiceMetric metric, BiConsumer<List<String>, Long> action) {
        Objects.requireNonNull(gauges.get(metric)).forEach((gauge, value) -> action.accept(gauge.labels, value));
    }

    /**
     * The sum of a counter.
     *
     * @param firstLabel of all whose first label has this value; empty for all
     */
    public long sum(ServiceMetric metric, String firstLabel) {
        return Objects.requireNonNull(totals.get(metric)).entrySet().stream()
                .filter(total -> firstLabel.isEmpty() || total.getKey().get(0).equals(firstLabel))
                .mapToLong(total -> total.getValue().sum())
                .sum();
    }

    /** The values of a gauge. */
    public LongStream values(ServiceMetric metric) {
        return Objects.requireNonNull(gauges.get(metric)).values().stream().mapToLong(Long::longValue);
    }

    /** How long the oldest record in flight has been so; 0 where there is none. */
    public double oldestPendingSeconds(long nowMillis) {
        long taken = values(ServiceMetric.PENDING_OLDEST_SECONDS)
                .filter(millis -> millis > 0)
                .min()
                .orElse(Long.MAX_VALUE);
        return Math.max(0, nowMillis - taken) / 1_000.0;
    }

    /** A value that comes and goes. Known by identity: of a task that moves there can be two for a moment. */
    public static final class Gauge {
        private final Map<Gauge, Long> all;
        private final List<String> labels;

        private Gauge(Map<Gauge, Long> all, List<String> labels) {
            this.all = all;
            this.labels = labels;
        }

        public void set(long value) {
            all.put(this, value);
        }

        public void remove() {
            all.remove(this);
        }
    }
}
