package io.neardup.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.deployment.ExportedMetrics.Named;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Dashboard and alerts name what is exported. Whether the expressions are sound promtool has to say. */
class MonitoringTest {
    /** What Prometheus adds by itself. */
    private static final Map<String, Set<String>> BY_PROMETHEUS =
            Map.of("up", Set.of(), "ALERTS", Set.of("alertname", "alertstate"));

    private static final Set<String> OF_TARGETS = Set.of("job", "instance");

    private static List<JsonNode> rules() throws IOException {
        return Yaml.items(Yaml.read("docker/prometheus/alerts.yaml").get("groups"))
                .flatMap(group -> Yaml.items(group.get("rules")))
                .toList();
    }

    private static JsonNode dashboard() throws IOException {
        return new ObjectMapper()
                .readTree(Path.of("docker/grafana/neardup.json").toFile());
    }

    private static List<JsonNode> panels() throws IOException {
        return Yaml.items(dashboard().get("panels")).toList();
    }

    private static void checkNames(String expression) throws IOException {
        Map<String, Set<String>> exported = ExportedMetrics.labelsByName();
        exported.putAll(BY_PROMETHEUS);
        for (JsonNode rule : rules()) {
            if (rule.has("record")) {
                exported.put(rule.get("record").asText(), Set.of());
            }
        }
        Named named = Named.in(expression);
        assertThat(named.metrics()).as(expression).isNotEmpty().isSubsetOf(exported.keySet());
        Set<String> labels = named.metrics().stream()
                .flatMap(name -> Objects.requireNonNull(exported.get(name)).stream())
                .collect(Collectors.toCollection(HashSet::new));
        labels.addAll(OF_TARGETS);
        assertThat(named.labels()).as(expression).isSubsetOf(labels);
    }

    @Test
    void shouldAlertByWhatIsExported() throws IOException {
        for (JsonNode rule : rules()) {
            checkNames(rule.get("expr").asText());
        }
        assertThat(rules().stream().filter(rule -> rule.has("alert")))
                .hasSizeGreaterThanOrEqualTo(6)
                .allSatisfy(rule -> {
                    assertThat(Yaml.names(rule)).isSubsetOf("alert", "expr", "for", "labels", "annotations");
                    assertThat(rule.get("labels").get("severity").asText()).isIn("warning", "critical");
                    assertThat(Yaml.names(rule.get("annotations"))).containsExactly("summary", "description");
                });
    }

    @Test
    void shouldTryEveryAlert() throws IOException {
        String tests = Yaml.read("docker/prometheus/alerts.test.yaml").toString();

        assertThat(rules().stream().filter(rule -> rule.has("alert")).map(rule -> rule.get("alert")
                        .asText()))
                .allSatisfy(alert -> assertThat(tests).contains(alert));
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

    /** Sums of what every instance tells would grow with the instances. */
    @Test
    void shouldCountTheLagOfAPartitionOnce() throws IOException {
        assertThat(expressions().filter(expression -> expression.contains("neardup_input_lag_records")))
                .hasSize(3)
                .allSatisfy(expression -> assertThat(expression.split("neardup_input_lag_records", -1))
                        .hasSameSizeAs(expression.split("max by \\(topic, partition\\)", -1)));
    }

    private static Stream<String> expressions() throws IOException {
        return Stream.concat(rules().stream(), panels().stream().flatMap(panel -> Yaml.items(panel.path("targets"))))
                .map(part -> part.get("expr").asText());
    }
}
