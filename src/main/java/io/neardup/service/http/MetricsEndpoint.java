package io.neardup.service.http;

import io.neardup.service.cluster.GroupStatus;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.service.lifecycle.ServiceStatus;
import io.neardup.service.lifecycle.SteadyClock;
import io.neardup.streams.metrics.RecallEstimate;
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
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Answers a scrape of Prometheus: every {@link ServiceMetric} of this instance, nothing before there is a service, and
 * what every JVM has.
 */
final class MetricsEndpoint extends Handler.Abstract {
    static final String PATH = "/metrics";
    private static final String TOTAL = "_total";

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();

    MetricsEndpoint(Supplier<Optional<DedupService>> service) {
        JvmMetrics.builder().register(registry);
        MultiCollector ofService =
                () -> service.get().map(MetricsEndpoint::snapshots).orElseGet(() -> new MetricSnapshots(List.of()));
        registry.register(ofService);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        writer.write(text, registry.scrape());
        return HttpReply.send(response, callback, HttpStatus.OK_200, writer.getContentType(), text.toByteArray());
    }

    private static MetricSnapshots snapshots(DedupService service) {
        Moment now = new Moment(service, service.counts(), service.status());
        return new MetricSnapshots(
                Arrays.stream(ServiceMetric.values()).map(now::snapshot).toList());
    }

    /** A value, and those of the labels of its metric. */
    private record Point(List<String> labels, Number value) {
        Labels of(ServiceMetric metric) {
            return Labels.of(metric.labels(), labels);
        }
    }

    /** All that is in one scrape. */
    private record Moment(DedupService service, ServiceCounts counts, ServiceStatus status) {

        MetricSnapshot snapshot(ServiceMetric metric) {
            MetricMetadata named = new MetricMetadata(metric.title().replace(TOTAL, ""), metric.meaning());
            return switch (metric.kind()) {
                case COUNTER ->
                    new CounterSnapshot(
                            named,
                            points(metric)
                                    .map(point -> new CounterDataPointSnapshot(
                                            point.value.doubleValue(), point.of(metric), null, 0))
                                    .toList());
                case GAUGE ->
                    new GaugeSnapshot(
                            named,
                            points(metric)
                                    .map(point -> new GaugeDataPointSnapshot(
                                            point.value.doubleValue(), point.of(metric), null))
                                    .toList());
                case HISTOGRAM -> histogram(metric);
            };
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

        private Stream<Point> points(ServiceMetric metric) {
            return switch (metric) {
                case ALERTS -> one(service.alertsCounted());
                case READY -> one(status.isReady() ? 1 : 0);
                case TASKS -> one(status.tasks());
                case RESTORE_RECORDS -> one(status.restoring().recordsLeft());
                case RESTORE_RATE -> one(status.restoring().recordsPerSecond());
                case CONNECTIONS -> one(service.brokerConnections());
                case INPUT_LAG ->
                    service.group().stream()
                            .filter(known -> !status.seeding().isFollowing())
                            .flatMap(known -> known.lag().orElse(List.of()).stream())
                            .map(Moment::lag);
                case STORY_LAG ->
                    service.group().stream()
                            .flatMap(known -> known.storyLag().stream())
                            .flatMap(Moment::one);
                case RECALL -> counts.recall().estimate().stream().flatMap(Moment::recall);
                case SOURCE_DOCUMENTS -> sources().flatMap(Moment::bySource);
                case SOURCE_AFTER_SECONDS ->
                    sources().flatMap(source -> Stream.ofNullable(source.afterSeconds())
                            .map(median -> new Point(List.of(source.name()), median)));
                case SOURCE_VANISHING -> vanishing();
                case PENDING_OLDEST_SECONDS ->
                    counted(metric).map(taken -> new Point(taken.labels, secondsSince(taken.value.longValue())));
                default -> counted(metric);
            };
        }

        private Stream<Sources.Source> sources() {
            return counts.sources().established(Sources.EXPORTED_MAX).stream();
        }

        /** Those beyond the others too. */
        private Stream<Point> vanishing() {
            Set<String> told = counts.sources().vanishing(SteadyClock.SYSTEM.millis()).stream()
                    .limit(Sources.EXPORTED_MAX)
                    .map(Sources.Source::name)
                    .collect(Collectors.toSet());
            return Stream.concat(sources().map(Sources.Source::name), told.stream())
                    .distinct()
                    .map(name -> new Point(List.of(name), told.contains(name) ? 1 : 0));
        }

        private static Stream<Point> recall(RecallEstimate.Estimate estimate) {
            return Stream.of(
                    new Point(List.of("estimate"), estimate.share()),
                    new Point(List.of("low"), estimate.low()),
                    new Point(List.of("high"), estimate.high()));
        }

        private static Stream<Point> bySource(Sources.Source source) {
            String name = source.name();
            return Stream.of(
                    new Point(List.of(name, "unique"), source.documents() - source.duplicates()),
                    new Point(List.of(name, "itself"), source.ofItself()),
                    new Point(List.of(name, "others"), source.ofOthers()),
                    new Point(List.of(name, "unknown"), source.duplicates() - source.ofItself() - source.ofOthers()));
        }

        private static Stream<Point> one(Number value) {
            return Stream.of(new Point(List.of(), value));
        }

        private static Point lag(GroupStatus.Lag lag) {
            return new Point(List.of(lag.topic(), String.valueOf(lag.partition())), lag.records());
        }

        /** @param takenMillis 0 where there is nothing */
        private static double secondsSince(long takenMillis) {
            return takenMillis == 0 ? 0 : Math.max(0, SteadyClock.SYSTEM.millis() - takenMillis) / 1_000.0;
        }

        private Stream<Point> counted(ServiceMetric metric) {
            return counts.byLabels(metric).entrySet().stream()
                    .map(counted -> new Point(counted.getKey(), counted.getValue()));
        }
    }
}
