package io.neardup.deployment;

import io.neardup.streams.metrics.ServiceMetric;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The samples of a scrape, by name, each with its labels. */
final class ExportedMetrics {
    private static final Pattern SAMPLE = Pattern.compile("(?m)^(?<name>\\w+)(?:\\{(?<labels>.*)})? \\S+$");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");

    private ExportedMetrics() {}

    static Map<String, Set<String>> labelsByName() throws IOException {
        Map<String, Set<String>> exported = new HashMap<>();
        for (ServiceMetric metric : ServiceMetric.values()) {
            samples(metric).forEach(name -> exported.put(name, labels(metric)));
        }
        ofTheJvm(exported);
        return exported;
    }

    private static Stream<String> samples(ServiceMetric metric) {
        return metric.kind() == ServiceMetric.Kind.HISTOGRAM
                ? Stream.of("_bucket", "_sum", "_count").map(suffix -> metric.title() + suffix)
                : Stream.of(metric.title());
    }

    private static Set<String> labels(ServiceMetric metric) {
        Set<String> labels = new HashSet<>(metric.labels());
        if (metric.kind() == ServiceMetric.Kind.HISTOGRAM) {
            labels.add("le");
        }
        return labels;
    }

    private static void ofTheJvm(Map<String, Set<String>> exported) throws IOException {
        PrometheusRegistry registry = new PrometheusRegistry();
        JvmMetrics.builder().register(registry);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        PrometheusTextFormatWriter.create().write(text, registry.scrape());
        Matcher sample = SAMPLE.matcher(text.toString(StandardCharsets.UTF_8));
        while (sample.find()) {
            Set<String> labels = exported.computeIfAbsent(sample.group("name"), name -> new HashSet<>());
            if (sample.group("labels") != null) {
                LABEL.matcher(sample.group("labels")).results().forEach(label -> labels.add(label.group(1)));
            }
        }
    }

    /** What an expression of Prometheus names: metrics, and labels in matchers and groupings. */
    record Named(Set<String> metrics, Set<String> labels) {
        private static final Pattern STRING = Pattern.compile("\"[^\"]*\"");
        private static final Pattern MATCHERS = Pattern.compile("\\{([^}]*)}");
        private static final Pattern GROUPING = Pattern.compile("\\b(by|without|on|ignoring)\\s*\\(([^)]*)\\)");
        private static final Pattern DURATION = Pattern.compile("\\[[^]]*]");
        private static final Pattern NAME = Pattern.compile("(?<![\\w:])[a-zA-Z_:][\\w:]*+(?!\\s*\\()");
        private static final Set<String> WORDS =
                Set.of("and", "or", "unless", "sum", "max", "min", "count", "by", "on");

        static Named in(String expression) {
            Set<String> metrics = new HashSet<>();
            Set<String> labels = new HashSet<>();
            String rest = STRING.matcher(expression).replaceAll("\"\"");
            MATCHERS.matcher(rest).results().forEach(found -> words(found.group(1))
                    .forEach(labels::add));
            rest = MATCHERS.matcher(rest).replaceAll(" ");
            GROUPING.matcher(rest).results().forEach(found -> words(found.group(2))
                    .forEach(labels::add));
            rest = DURATION.matcher(GROUPING.matcher(rest).replaceAll(" ")).replaceAll(" ");
            NAME.matcher(rest)
                    .results()
                    .map(found -> found.group())
                    .filter(name -> !WORDS.contains(name))
                    .forEach(metrics::add);
            return new Named(metrics, labels);
        }

        private static List<String> words(String text) {
            return Arrays.stream(text.split("\\W+", -1))
                    .filter(word -> !word.isEmpty())
                    .toList();
        }
    }
}
