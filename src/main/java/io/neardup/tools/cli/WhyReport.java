package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.neardup.config.NeardupConfig;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.record.InputRecord;
import io.neardup.record.Verdict.Outcome;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.tools.audit.DocumentSearch.Found;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What was found of a document, and of its original. */
final class WhyReport implements CommandReport {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int TEXT_LINES_MAX = 30;

    private static final Set<String> NUMBERS = Set.of(
            OutputRecords.SIMILARITY,
            OutputRecords.SIMILARITY_WHOLE,
            OutputRecords.CONTAINMENT_OF_DUPLICATE,
            OutputRecords.CONTAINMENT_OF_ORIGINAL);

    /** The headers that the service adds at each outcome, by what they are called here. */
    private static final Map<Outcome, Map<String, String>> HEADERS = Map.of(
            Outcome.UNIQUE, Map.of("bounded", OutputRecords.BOUNDED),
            Outcome.DUPLICATE,
                    headers(
                            "original", OutputRecords.DUPLICATE_OF,
                            "of the seed", OutputRecords.DUPLICATE_OF_SEED,
                            "similarity", OutputRecords.SIMILARITY,
                            "with boilerplate", OutputRecords.SIMILARITY_WHOLE,
                            "of it in original", OutputRecords.CONTAINMENT_OF_DUPLICATE,
                            "of original in it", OutputRecords.CONTAINMENT_OF_ORIGINAL,
                            "version", OutputRecords.VERSION),
            Outcome.DEAD_LETTER,
                    headers(
                            "reason", OutputRecords.REASON,
                            "detail", OutputRecords.DETAIL,
                            "source topic", OutputRecords.SOURCE_TOPIC,
                            "source partition", OutputRecords.SOURCE_PARTITION,
                            "source offset", OutputRecords.SOURCE_OFFSET));

    private static Map<String, String> headers(String... namesAndHeaders) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (int i = 0; i < namesAndHeaders.length; i += 2) {
            headers.put(namesAndHeaders[i], namesAndHeaders[i + 1]);
        }
        return headers;
    }

    private final String id;
    private final Found found;
    private final Optional<Found> original;
    private final Optional<NearestOriginals> nearest;
    private final NeardupConfig config;

    /**
     * What was found.
     *
     * @param original of a duplicate
     * @param nearest of a document that is unique
     */
    WhyReport(
            String id,
            Found found,
            Optional<Found> original,
            Optional<NearestOriginals> nearest,
            NeardupConfig config) {
        this.id = id;
        this.found = found;
        this.original = original;
        this.nearest = nearest;
        this.config = config;
    }

    @Override
    public void print(PrintWriter output) {
        line(output, "id", id);
        line(output, "outcome", outcome());
        headers()
                .forEach((name, header) -> found.record().header(header).ifPresent(value -> line(output, name, value)));
        boilerplate()
                .ifPresent(share -> line(
                        output,
                        "boilerplate",
                        String.format(
                                Locale.ROOT, "%.1f %% of their shingles are common and do not count", 100 * share)));
        line(output, "record", place(found.record()));
        nearest.ifPresent(documents -> documents.lines().forEach(one -> line(output, "nearest", one)));
        if (found.outcome() == Outcome.DUPLICATE) {
            line(
                    output,
                    "original's record",
                    original.map(one -> place(one.record())).orElseGet(this::notFound));
            printTexts(output);
        }
    }

    private String notFound() {
        return found.record().header(OutputRecords.DUPLICATE_OF_SEED).isPresent()
                ? "in the seed: it never left"
                : "not on " + config.uniqueTopic() + " any more, as far back as was read";
    }

    private String outcome() {
        if (found.outcome() == null) {
            return "came in, and is on no output: it has not left yet, or what left is deleted";
        }
        return switch (found.outcome()) {
            case UNIQUE -> "unique";
            case DUPLICATE -> "duplicate";
            case DEAD_LETTER -> "dead letter";
            case TOMBSTONE -> "tombstone: documents of this key are taken back";
        };
    }

    private static void line(PrintWriter output, String name, String value) {
        output.println(FigureText.named(name, value));
    }

    /** A header of another outcome came in, and says nothing here. */
    private Map<String, String> headers() {
        return found.outcome() == null ? Map.of() : HEADERS.getOrDefault(found.outcome(), Map.of());
    }

    /** How much of both is boilerplate; empty where nothing is, or the texts are not at hand. */
    private Optional<Double> boilerplate() {
        Optional<String> first = original.flatMap(Found::text);
        Optional<String> second = found.text();
        if (first.isEmpty() || second.isEmpty() || config.shingling().boilerplate() == null) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(
                    TextComparison.of(first.get(), second.get(), config).leftOut());
        } catch (UnsignableException e) {
            return Optional.empty();
        }
    }

    private static String place(InputRecord record) {
        return record.topic() + "-" + record.partition() + " offset " + record.offset() + ", "
                + Instant.ofEpochMilli(record.timestamp());
    }

    private void printTexts(PrintWriter output) {
        Optional<String> first = original.flatMap(Found::text);
        Optional<String> second = found.text();
        if (first.isEmpty() || second.isEmpty()) {
            line(output, "texts", "not both on the topics");
            return;
        }
        output.println();
        SideBySide.row(found.record().header(OutputRecords.DUPLICATE_OF).orElse(""), id)
                .forEach(output::println);
        output.println(SideBySide.rule());
        SideBySide.passages(first.get(), second.get(), TEXT_LINES_MAX).forEach(output::println);
    }

    @Override
    public ObjectNode json() {
        ObjectNode all = JSON.createObjectNode()
                .put("id", id)
                .put(
                        "outcome",
                        found.outcome() == null ? "not-left" : found.outcome().code());
        headers().values().forEach(header -> found.record()
                .header(header)
                .ifPresent(value -> all.set(header, json(header, value))));
        boilerplate().ifPresent(share -> all.put("boilerplate", share));
        all.set("record", place(found));
        original.ifPresent(one -> all.set("originalRecord", place(one)));
        nearest.ifPresent(one -> one.putInto(all));
        return all;
    }

    /** A number where the header has one; what is written there is not only by the service. */
    private static JsonNode json(String header, String value) {
        try {
            return NUMBERS.contains(header) ? new DoubleNode(Double.parseDouble(value)) : new TextNode(value);
        } catch (NumberFormatException e) {
            return new TextNode(value);
        }
    }

    private record Place(String topic, int partition, long offset, long timestamp) {}

    private static JsonNode place(Found found) {
        InputRecord record = found.record();
        return JSON.valueToTree(new Place(record.topic(), record.partition(), record.offset(), record.timestamp()));
    }
}
