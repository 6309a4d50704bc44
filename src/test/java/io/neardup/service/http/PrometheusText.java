package io.neardup.service.http;

import static java.util.stream.Collectors.toSet;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The samples of a scrape, in the text format of Prometheus.
 *
 * @param samples in their order
 */
record PrometheusText(List<Sample> samples) {
    private static final Pattern SAMPLE = Pattern.compile("(?m)^(\\w+)(?:\\{(.*)})? (\\S+)$");

    /** @param labels as they are written, with the commas between them; empty where there are none */
    record Sample(String name, String labels, double value) {}

    static PrometheusText read(String text) {
        return new PrometheusText(SAMPLE.matcher(text)
                .results()
                .map(found -> new Sample(
                        found.group(1),
                        Objects.requireNonNullElse(found.group(2), ""),
                        Double.parseDouble(found.group(3).replace("Inf", "Infinity"))))
                .toList());
    }

    /** The names of metrics: of a histogram without what its samples have behind it. */
    Set<String> metrics() {
        return samples.stream()
                .map(sample -> sample.name.replaceFirst("_(bucket|sum|count)$", ""))
                .collect(toSet());
    }

    /** The sum over all samples of a name that have these labels. */
    double sum(String name, String... labels) {
        return samples.stream()
                .filter(sample -> sample.name.equals(name) && Stream.of(labels).allMatch(sample.labels::contains))
                .mapToDouble(Sample::value)
                .sum();
    }
}
