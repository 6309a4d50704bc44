package io.neardup.service.http;

import io.neardup.service.lifecycle.DedupService;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers a scrape of Prometheus: what the service counts, and what every JVM has. */
final class MetricsAnswer extends Handler.Abstract {
    static final String PATH = "/metrics";

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();

    MetricsAnswer(Supplier<Optional<DedupService>> service) {
        JvmMetrics.builder().register(registry);
        registry.register(new ServiceCollector(service));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        writer.write(text, registry.scrape());
        return HttpReply.send(response, callback, HttpStatus.OK_200, writer.getContentType(), text.toByteArray());
    }
}
