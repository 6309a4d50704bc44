package io.neardup.service.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the text format of Prometheus, version 0.0.4, and takes nothing that breaks its rules. */
final class PrometheusText {
    private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
    private static final String LABEL = "[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\n]|\\\\[\\\\\"n])*\"";
    private static final Pattern HELP = Pattern.compile("# HELP (" + NAME + ") (.+)");
    private static final Pattern TYPE =
            Pattern.compile("# TYPE (" + NAME + ") (counter|gauge|histogram|summary|untyped)");
    private static final Pattern SAMPLE =
            Pattern.compile("(" + NAME + ")(?:\\{(" + LABEL + "(?:," + LABEL + ")*),?})? (NaN|[+-]Inf|[-+0-9.eE]+)");

    private final Map<String, Family> families = new LinkedHashMap<>();

    /** Metrics of one name. */
    record Family(String type, List<Sample> samples) {}

    /** @param labels as they are written, with the commas between them */
    record Sample(String name, String labels, double value) {}

    private PrometheusText() {}

    static PrometheusText read(String text) {
        if (!text.endsWith("\n")) {
            throw new IllegalArgumentException("expected a line feed at the end");
        }
        PrometheusText read = new PrometheusText();
        text.lines().filter(line -> !line.isEmpty()).forEach(read::take);
        read.families.forEach(PrometheusText::check);
        return read;
    }

    private void take(String line) {
        Matcher type = TYPE.matcher(line);
        Matcher sample = SAMPLE.matcher(line);
        if (type.matches()) {
            if (families.put(type.group(1), new Family(type.group(2), new ArrayList<>())) != null) {
                throw new IllegalArgumentException("expected one type, found another: " + line);
            }
        } else if (sample.matches()) {
            String labels = Objects.requireNonNullElse(sample.group(2), "");
            family(sample.group(1)).samples.add(new Sample(sample.group(1), labels, number(sample.group(3))));
        } else if (!HELP.matcher(line).matches()) {
            throw new IllegalArgumentException("expected a comment or a sample, found " + line);
        }
    }

    private static double number(String written) {
        return switch (written) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(written);
        };
    }

    private Family family(String sample) {
        return Stream.of("", "_bucket", "_sum", "_count")
                .filter(sample::endsWith)
                .map(suffix -> families.get(sample.substring(0, sample.length() - suffix.length())))
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("expected a type before " + sample));
    }

    private static void check(String name, Family family) {
        if (family.samples.stream()
                        .map(sample -> sample.name + sample.labels)
                        .distinct()
                        .count()
                < family.samples.size()) {
            throw new IllegalArgumentException(name + ": expected each sample once");
        }
        if (family.type.equals("histogram")) {
            List<Double> buckets = family.samples.stream()
                    .filter(sample -> sample.name.equals(name + "_bucket"))
                    .map(Sample::value)
                    .toList();
            double count = family.samples.stream()
                    .filter(sample -> sample.name.equals(name + "_count"))
                    .mapToDouble(Sample::value)
                    .sum();
            if (!buckets.equals(buckets.stream().sorted().toList()) || buckets.get(buckets.size() - 1) != count) {
                throw new IllegalArgumentException(name + ": expected buckets that rise up to the count");
            }
        }
    }

    Map<String, Family> families() {
        return families;
    }

    /** The sum over all samples of a name that have these labels. */
    double sum(String name, String... labels) {
        return family(name).samples.stream()
                .filter(sample -> sample.name.equals(name))
                .filter(sample -> Stream.of(labels).allMatch(sample.labels::contains))
                .mapToDouble(Sample::value)
                .sum();
    }
}
