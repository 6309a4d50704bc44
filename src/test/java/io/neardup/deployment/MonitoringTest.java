package io.neardup.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.streams.metrics.ServiceMetric;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Dashboard and alerts name what is exported. Whether the expressions are sound promtool has to say. */
class MonitoringTest {
    /** What Prometheus adds by itself, and its labels. */
    private static final Map<String, Set<String>> BY_PROMETHEUS =
            Map.of("up", Set.of(), "ALERTS", Set.of("alertname", "alertstate"));

    private static final Set<String> OF_TARGETS = Set.of("job", "instance");

    private static final Pattern METRIC =
            Pattern.compile("\\b(?:up|ALERTS|(?:neardup|jvm|process)[_:][\\w:]+)(?![\\w(])");

    /** Of what is scraped, not of what rules record of it. */
    private static final Pattern SELECTOR = Pattern.compile("\\b(?:up|(?:neardup|jvm|process)_\\w+)(?:\\{[^}]*})?");

    /** In a matcher, or in a grouping. */
    private static final Pattern LABEL =
            Pattern.compile("(\\w+)(?:=|!=|=~|!~)\"|\\b(?:by|without|on|ignoring) ?\\(([\\w, ]*)\\)");

    private static final Pattern SAMPLE = Pattern.compile("(?m)^(?<name>\\w+)(?<labels>.*) \\S+$");

    private static List<JsonNode> rules() throws IOException {
        return Yaml.items(Yaml.read("docker/prometheus/alerts.yaml").get("groups"))
                .flatMap(group -> Yaml.items(group.get("rules")))
                .toList();
    }

    private static JsonNode dashboard() throws IOException {
        return Yaml.read("docker/grafana/neardup.json");
    }

    private static List<JsonNode> panels() throws IOException {
        return Yaml.items(dashboard().get("panels")).toList();
    }

    private static void checkNames(String expression) throws IOException {
        Map<String, Set<String>> exported = exported();
        exported.putAll(BY_PROMETHEUS);
        for (JsonNode rule : rules()) {
            if (rule.has("record")) {
                exported.put(rule.get("record").asText(), Set.of());
            }
        }
        Set<String> metrics =
                METRIC.matcher(expression).results().map(MatchResult::group).collect(Collectors.toSet());
        assertThat(metrics).as(expression).isNotEmpty().isSubsetOf(exported.keySet());
        Set<String> labels = new HashSet<>(OF_TARGETS);
        metrics.forEach(name -> labels.addAll(Objects.requireNonNull(exported.get(name))));
        assertThat(labels(expression)).as(expression).isSubsetOf(labels);
    }

    @Test
    void shouldAlertByWhatIsExportedAndTryEveryAlert() throws IOException {
        String tests = Yaml.read("docker/prometheus/alerts.test.yaml").toString();
        for (JsonNode rule : rules()) {
            checkNames(rule.get("expr").asText());
        }
        assertThat(rules().stream().filter(rule -> rule.has("alert")))
                .hasSizeGreaterThanOrEqualTo(6)
                .allSatisfy(rule -> {
                    assertThat(tests).contains(rule.get("alert").asText());
                    assertThat(Yaml.names(rule)).isSubsetOf("alert", "expr", "for", "labels", "annotations");
                    assertThat(rule.get("labels").get("severity").asText()).isIn("warning", "critical");
                    assertThat(Yaml.names(rule.get("annotations"))).containsExactly("summary", "description");
                });
    }

    @Test
    void shouldShowWhatIsExported() throws IOException {
        for (JsonNode panel : panels()) {
            for (JsonNode target : panel.path("targets")) {
                checkNames(target.get("expr").asText());
            }
        }
        for (JsonNode annotation : dashboard().get("annotations").get("list")) {
            checkNames(annotation.get("expr").asText());
        }
    }

    /** By a range Grafana would show the last value of an hour, also when every instance is gone. */
    @Test
    void shouldShowInSingleFiguresWhatIsTrueNow() throws IOException {
        assertThat(panels().stream()
                        .filter(panel -> panel.get("type").asText().equals("stat"))
                        .flatMap(panel -> Yaml.items(panel.get("targets"))))
                .hasSizeGreaterThanOrEqualTo(6)
                .allSatisfy(
                        target -> assertThat(target.path("instant").asBoolean()).isTrue());
    }

    /** Sums of what every instance tells would grow with the instances. */
    @Test
    void shouldCountTheLagOfAPartitionOnce() throws IOException {
        assertThat(expressions().filter(expression -> expression.contains("neardup_input_lag_records")))
                .hasSize(3)
                .allSatisfy(expression -> assertThat(expression.split("neardup_input_lag_records", -1))
                        .hasSameSizeAs(expression.split("max by \\(topic, partition\\)", -1)));
    }

    /** Else a second service, of which the same Prometheus knows, adds to the sums of the first. */
    @Test
    void shouldGoByTheJobInEachSelector() throws IOException {
        assertThat(expressions()
                        .flatMap(expression -> SELECTOR.matcher(expression).results())
                        .map(MatchResult::group))
                .hasSizeGreaterThanOrEqualTo(40)
                .allSatisfy(selector -> assertThat(selector).contains("{job=\"neardup\""));
    }

    private static Stream<String> expressions() throws IOException {
        return Stream.concat(rules().stream(), panels().stream().flatMap(panel -> Yaml.items(panel.path("targets"))))
                .map(part -> part.get("expr").asText());
    }

    // ---- what there is, and what is named

    /** The samples of a scrape, by name, each with its labels. */
    private static Map<String, Set<String>> exported() throws IOException {
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
            exported.computeIfAbsent(sample.group("name"), name -> new HashSet<>())
                    .addAll(labels(sample.group("labels")));
        }
    }

    private static Set<String> labels(String text) {
        return LABEL.matcher(text)
                .results()
                .flatMap(found ->
                        found.group(1) == null ? Stream.of(found.group(2).split(", *", -1)) : Stream.of(found.group(1)))
                .collect(Collectors.toSet());
    }
}
