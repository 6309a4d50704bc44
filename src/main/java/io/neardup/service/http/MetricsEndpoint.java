package io.neardup.service.http;

import io.neardup.service.cluster.GroupStatus;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.service.lifecycle.ServiceStatus;
import io.neardup.service.lifecycle.SteadyClock;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.streams.metrics.Sources;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Answers a scrape of Prometheus: every {@link ServiceMetric} of this instance, before there is a service only that it
 * is not ready, and what every JVM has.
 */
final class MetricsEndpoint extends Handler.Abstract {
    static final String PATH = "/metrics";
    private static final String TOTAL = "_total";

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();

    MetricsEndpoint(Supplier<Optional<DedupService>> service) {
        JvmMetrics.builder().register(registry);
        MultiCollector ofService =
                () -> service.get().map(MetricsEndpoint::snapshots).orElseGet(MetricsEndpoint::notReady);
        registry.register(ofService);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        writer.write(text, registry.scrape());
        return HttpReply.send(response, callback, HttpStatus.OK_200, writer.getContentType(), text.toByteArray());
    }

    /** Said also of a service that never starts, as alerts cannot go by what is missing. */
    private static MetricSnapshots notReady() {
        return new MetricSnapshots(GaugeSnapshot.builder()
                .name(ServiceMetric.READY.title())
                .help(ServiceMetric.READY.meaning())
                .dataPoint(new GaugeDataPointSnapshot(0, Labels.EMPTY, null))
                .build());
    }

    private static MetricSnapshots snapshots(DedupService service) {
        Moment now = new Moment(service, service.counts(), service.status());
        return new MetricSnapshots(
                Arrays.stream(ServiceMetric.values()).map(now::snapshot).toList());
    }

    /** All that is in one scrape. */
    private record Moment(DedupService service, ServiceCounts counts, ServiceStatus status) {

        MetricSnapshot snapshot(ServiceMetric metric) {
            MetricMetadata named = new MetricMetadata(metric.title().replace(TOTAL, ""), metric.meaning());
            return switch (metric.kind()) {
                case COUNTER ->
                    new CounterSnapshot(
                            named,
                            points(metric, (value, labels) -> new CounterDataPointSnapshot(value, labels, null, 0)));
                case GAUGE ->
                    new GaugeSnapshot(
                            named, points(metric, (value, labels) -> new GaugeDataPointSnapshot(value, labels, null)));
                case HISTOGRAM -> histogram(metric);
            };
        }

        private <T> List<T> points(ServiceMetric metric, BiFunction<Double, Labels, T> point) {
            List<T> points = new ArrayList<>();
            values(metric)
                    .forEach((labels, value) ->
                            points.add(point.apply(value.doubleValue(), Labels.of(metric.labels(), labels))));
            return points;
        }

        private MetricSnapshot histogram(ServiceMetric metric) {
            ServiceCounts.Histogram.Snapshot found = counts.histogram(metric).snapshot();
            double[] bounds = Arrays.copyOf(found.bounds(), found.counts().length);
            bounds[bounds.length - 1] = Double.POSITIVE_INFINITY;
            return HistogramSnapshot.builder()
                    .name(metric.title())
                    .help(metric.meaning())
                    .dataPoint(HistogramDataPointSnapshot.builder()
                            .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, found.counts()))
                            .sum(found.sum())
                            .build())
                    .build();
        }

        /** Values by those of the labels of the metric. */
        private Map<List<String>, ? extends Number> values(ServiceMetric metric) {
            Map<List<String>, Number> values = new HashMap<>();
            switch (metric) {
                case ALERTS -> values.put(List.of(), service.alertsCounted());
                case READY -> values.put(List.of(), status.isReady() ? 1 : 0);
                case TASKS -> values.put(List.of(), status.tasks());
                case RESTORE_RECORDS -> values.put(List.of(), status.restoring().recordsLeft());
                case CONNECTIONS -> values.put(List.of(), service.brokerConnections());
                case INPUT_LAG ->
                    service.group()
                            .filter(known -> !status.seeding().isFollowing())
                            .flatMap(GroupStatus::lag)
                            .orElse(List.of())
                            .forEach(lag ->
                                    values.put(List.of(lag.topic(), String.valueOf(lag.partition())), lag.records()));
                case STORY_LAG ->
                    service.group().flatMap(GroupStatus::storyLag).ifPresent(lag -> values.put(List.of(), lag));
                case RECALL ->
                    counts.recall().estimate().ifPresent(recall -> {
                        values.put(List.of("estimate"), recall.share());
                        values.put(List.of("low"), recall.low());
                        values.put(List.of("high"), recall.high());
                    });
                case SOURCE_DOCUMENTS ->
                    sources().forEach(source -> {
                        long unknown = source.duplicates() - source.ofItself() - source.ofOthers();
                        values.put(List.of(source.name(), "unique"), source.documents() - source.duplicates());
                        values.put(List.of(source.name(), "itself"), source.ofItself());
                        values.put(List.of(source.name(), "others"), source.ofOthers());
                        values.put(List.of(source.name(), "unknown"), unknown);
                    });
                case SOURCE_AFTER_SECONDS ->
                    sources().forEach(source -> {
                        if (source.afterSeconds() != null) {
                            values.put(List.of(source.name()), source.afterSeconds());
                        }
                    });
                case SOURCE_VANISHING -> {
                    sources().forEach(source -> values.put(List.of(source.name()), 0));
                    // Those beyond the others too.
                    counts.sources().vanishing(SteadyClock.SYSTEM.millis()).stream()
                            .limit(Sources.EXPORTED_MAX)
                            .forEach(source -> values.put(List.of(source.name()), 1));
                }
                case PENDING_OLDEST_SECONDS ->
                    counts.byLabels(metric).forEach((labels, taken) -> values.put(labels, secondsSince(taken)));
                default -> values.putAll(counts.byLabels(metric));
            }
            return values;
        }

        private List<Sources.Source> sources() {
            return counts.sources().established(Sources.EXPORTED_MAX);
        }

        /** @param takenMillis 0 where there is nothing */
        private static double secondsSince(long takenMillis) {
            return takenMillis == 0 ? 0 : Math.max(0, SteadyClock.SYSTEM.millis() - takenMillis) / 1_000.0;
        }
    }
}
