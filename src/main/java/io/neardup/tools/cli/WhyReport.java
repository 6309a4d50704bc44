package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.record.InputRecord;
import io.neardup.record.Printable;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.tools.audit.FoundDocument;
import io.neardup.tools.audit.FoundDocument.FoundAs;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What was found of a document, and of its original. */
final class WhyReport implements CommandReport {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int TEXT_LINES_MAX = 30;

    /** The headers that tell of each outcome, by what they are called here. */
    private static final Map<String, String> HEADERS = headers();

    private final String id;
    private final FoundDocument found;
    private final Optional<FoundDocument> original;
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
            FoundDocument found,
            Optional<FoundDocument> original,
            Optional<NearestOriginals> nearest,
            NeardupConfig config) {
        this.id = id;
        this.found = found;
        this.original = original;
        this.nearest = nearest;
        this.config = config;
    }

    private static Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("original", OutputRecords.DUPLICATE_OF);
        headers.put("of the seed", OutputRecords.DUPLICATE_OF_SEED);
        headers.put("similarity", OutputRecords.SIMILARITY);
        headers.put("with boilerplate", OutputRecords.SIMILARITY_WHOLE);
        headers.put("of it in original", OutputRecords.CONTAINMENT_OF_DUPLICATE);
        headers.put("of original in it", OutputRecords.CONTAINMENT_OF_ORIGINAL);
        headers.put("version", OutputRecords.VERSION);
        headers.put("bounded", OutputRecords.BOUNDED);
        headers.put("reason", OutputRecords.REASON);
        headers.put("detail", OutputRecords.DETAIL);
        headers.put("source topic", OutputRecords.SOURCE_TOPIC);
        headers.put("source partition", OutputRecords.SOURCE_PARTITION);
        headers.put("source offset", OutputRecords.SOURCE_OFFSET);
        return headers;
    }

    @Override
    public void print(PrintWriter output) {
        line(output, "id", id);
        line(output, "outcome", outcome());
        HEADERS.forEach((name, header) -> header(header).ifPresent(value -> line(output, name, value)));
        boilerplate()
                .ifPresent(share -> line(
                        output,
                        "boilerplate",
                        String.format(
                                Locale.ROOT, "%.1f %% of their shingles are common and do not count", 100 * share)));
        line(output, "record", place(found.record()));
        nearest.ifPresent(documents -> documents.lines().forEach(one -> line(output, "nearest", one)));
        if (found.foundAs() == FoundAs.DUPLICATE) {
            line(
                    output,
                    "original's record",
                    original.map(one -> place(one.record())).orElseGet(this::notFound));
            printTexts(output);
        }
    }

    private String notFound() {
        return header(OutputRecords.DUPLICATE_OF_SEED).isPresent()
                ? "in the seed: it never left"
                : "not on " + config.uniqueTopic() + " any more, as far back as was read";
    }

    private String outcome() {
        return switch (found.foundAs()) {
            case UNIQUE -> "unique";
            case DUPLICATE -> "duplicate";
            case DEAD_LETTER -> "dead letter";
            case TOMBSTONE -> "tombstone: documents of this key are taken back";
            case NOT_LEFT -> "came in, and is on no output: it has not left yet, or what left is deleted";
        };
    }

    private static void line(PrintWriter output, String name, String value) {
        output.printf(Locale.ROOT, "%-18s %s%n", name, Printable.of(value));
    }

    /** What the service says of an outcome; a header of that name that came in is none of it. */
    private Optional<String> header(String name) {
        boolean ours =
                switch (found.foundAs()) {
                    case DUPLICATE -> !isOfDeadLetters(name) && !name.equals(OutputRecords.BOUNDED);
                    case DEAD_LETTER -> isOfDeadLetters(name);
                    case UNIQUE -> name.equals(OutputRecords.BOUNDED);
                    default -> false;
                };
        return ours ? found.header(name) : Optional.empty();
    }

    private static boolean isOfDeadLetters(String name) {
        return name.equals(OutputRecords.REASON)
                || name.equals(OutputRecords.DETAIL)
                || name.startsWith("neardup.source.");
    }

    /** How much of both is left out; empty where nothing is, or the texts are not at hand. */
    private Optional<Double> boilerplate() {
        Optional<String> first = original.flatMap(FoundDocument::text);
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
        Optional<String> first = original.flatMap(FoundDocument::text);
        Optional<String> second = found.text();
        if (first.isEmpty() || second.isEmpty()) {
            line(output, "texts", "not both on the topics");
            return;
        }
        output.println();
        SideBySide.row(found.header(OutputRecords.DUPLICATE_OF).orElse(""), id).forEach(output::println);
        output.println(SideBySide.rule());
        SideBySide.passages(first.get(), second.get(), TEXT_LINES_MAX).forEach(output::println);
    }

    @Override
    public ObjectNode json() {
        String outcome = found.foundAs().name().toLowerCase(Locale.ROOT).replace('_', '-');
        ObjectNode all = JSON.createObjectNode().put("id", id).put("outcome", outcome);
        HEADERS.forEach((name, header) -> header(header).ifPresent(value -> all.put(header, value)));
        boilerplate().ifPresent(share -> all.put("boilerplate", share));
        put(all.putObject("record"), found.record());
        original.ifPresent(one -> put(all.putObject("originalRecord"), one.record()));
        nearest.ifPresent(one -> one.putInto(all));
        return all;
    }

    private static void put(ObjectNode into, InputRecord record) {
        into.put("topic", record.topic())
                .put("partition", record.partition())
                .put("offset", record.offset())
                .put("timestamp", record.timestamp());
    }
}
