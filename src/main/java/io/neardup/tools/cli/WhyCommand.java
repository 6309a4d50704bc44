package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.config.NeardupConfig;
import io.neardup.record.InputRecord;
import io.neardup.record.Pointers;
import io.neardup.record.RecordHeader;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Outcome;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.http.EncodedHeader;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.tools.audit.DocumentSearch;
import io.neardup.tools.audit.DocumentSearch.Found;
import io.neardup.tools.cli.ServiceClient.CheckReply;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What became of one document, and why. */
@Command(
        name = "why",
        description = {
            "Tells what became of a document, and why.",
            "It reads the outputs of a service, running or not, back from now until the document is there."
        },
        footer = {
            "",
            "Example, with the settings that the service runs with:",
            "  java -jar neardup.jar why reef-map/2 --config config/neardup.properties \\",
            "      --bootstrap-server localhost:9092 --since 7d",
            "",
            "Of a duplicate it shows the original, how similar they are, and both texts where",
            "the topics still hold them. Of one that is unique it tells the nearest original",
            "that was not similar enough, where verdicts are written; and it asks the service,",
            "as check does, which documents are nearest to it: at --url, else where",
            "neardup.http.listen of the settings says, else at " + ServiceOptions.DEFAULT_URL + ".",
            "Where none answers it says so, and tells the rest.",
            "",
            "A document without an id has the key of its record for one, or its place, such",
            "as documents-0-17; on unique no place is to be seen.",
            "",
            "Exit codes: 0 found, 1 not found or failed, 2 wrong usage or settings."
        })
final class WhyCommand extends ReportingCommand {
    private static final int TEXT_LINES_MAX = 30;
    /** A similarity that is 1, but for the digits that JSON has of it. */
    private static final double SAME = 1 - 1e-9;

    @Parameters(paramLabel = "ID", description = "The id of the document.")
    private String id = "";

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Go back no further than this: a time such as 12h or 7d before now, or 2026-01-31T08:00:00Z;"
                    + " by the timestamps of the documents. By default all that is there.")
    private @Nullable String since;

    @Mixin
    private ServiceOptions service = new ServiceOptions();

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        service.check(this);
        NeardupConfig config = asking(options)
                .requireRecords("a document is looked for on the topics of records; the verdict on one is on"
                        + " neardup.verdicts.topic, under its place, such as documents-0-17");
        OptionalLong sinceMillis = since(since);
        Why why;
        try (ProgressLines progress = progress();
                ClusterView cluster = new ClusterView(config)) {
            progress.phase("reading back");
            why = why(new DocumentSearch(config, cluster, sinceMillis, progress::update), config);
        }
        print(why);
        return ExitCode.OK;
    }

    private Why why(DocumentSearch search, NeardupConfig config) throws IOException, InterruptedException {
        Found found = search.find(id).orElseThrow(() -> new IOException(notFound(config)));
        Optional<String> named = found.outcome() == Outcome.DUPLICATE
                ? found.record().header(OutputRecords.DUPLICATE_OF)
                : Optional.empty();
        Optional<Found> original = named.isPresent() ? search.findOriginal(named.get()) : Optional.empty();
        return new Why(id, found, original, judged(search, found, config), nearest(found, config), config);
    }

    /** The verdict on a document that is unique, or why it is not known though it should be. */
    private record Judged(Optional<Verdict> verdict, Optional<String> notRead) {}

    /** Where verdicts cannot be read, the rest is told all the same. */
    private Judged judged(DocumentSearch search, Found found, NeardupConfig config) {
        if (found.outcome() != Outcome.UNIQUE || !config.writesVerdicts()) {
            return new Judged(Optional.empty(), Optional.empty());
        }
        try {
            long timestampMillis = found.record().timestamp();
            return new Judged(search.findUniqueVerdict(id, timestampMillis), Optional.empty());
        } catch (IOException | StartupException | KafkaException e) {
            return new Judged(Optional.empty(), Optional.of(Failures.message(e)));
        }
    }

    private String notFound(NeardupConfig config) {
        return id + ": expected a document of this id, found none on " + String.join(", ", config.recordTopics())
                + ", nor on " + String.join(", ", config.inputTopics())
                + (since == null ? ", read back to the first record that is there" : ", read back to --since " + since)
                + "; check the id and its letters, and that the settings are those of the service";
    }

    // ---- the nearest of one that is unique

    /**
     * The documents of an index that are most like it, without the document itself.
     *
     * @param found as the service names them, best first
     * @param notAsked why nobody was asked; empty where somebody was
     */
    private record Nearest(List<JsonNode> found, List<String> bounded, Optional<String> notAsked) {
        static Nearest notAsked(String why) {
            return new Nearest(List.of(), List.of(), Optional.of(why));
        }
    }

    /** Without a service, or with another one, the rest is told all the same. */
    private Optional<Nearest> nearest(Found found, NeardupConfig config) throws InterruptedException {
        byte[] value = found.record().value();
        if (found.outcome() != Outcome.UNIQUE || value == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(nearest(service.clientOf(config), value, headers(found, config), config));
        } catch (IOException e) {
            return Optional.of(Nearest.notAsked(String.valueOf(e.getMessage())));
        }
    }

    /** No other service gets to see the document. */
    private Nearest nearest(ServiceClient client, byte[] value, List<String> headers, NeardupConfig config)
            throws IOException, InterruptedException {
        String answering = client.status().path("applicationId").asText("");
        if (!answering.equals(config.applicationId())) {
            return Nearest.notAsked(client.url() + ": expected the service of application.id "
                    + config.applicationId()
                    + (answering.isEmpty()
                            ? ", found one that is starting; try again"
                            : ", found " + answering + "; give the --url of an instance of the first, or --group "
                                    + answering));
        }
        CheckReply answer = client.check(value, headers);
        if (!answer.isChecked()) {
            return Nearest.notAsked(client.url() + ": " + answer.code() + ", " + answer.error());
        }
        List<JsonNode> others = new ArrayList<>();
        answer.json().path("nearest").forEach(others::add);
        // The document itself is one of the index.
        others.stream()
                .filter(one -> one.path("id").asText().equals(id)
                        && one.path("similarity").asDouble() >= SAME)
                .findFirst()
                .ifPresent(others::remove);
        return new Nearest(others, CheckCommand.bounded(answer.json()), Optional.empty());
    }

    /** Those that id and scope are in. */
    private static List<String> headers(Found found, NeardupConfig config) {
        Pointers pointers = config.pointers();
        List<String> headers = new ArrayList<>();
        for (RecordHeader header : found.record().headers()) {
            byte[] value = header.value();
            if (value != null
                    && (header.name().equals(pointers.idHeader())
                            || header.name().equals(pointers.scopeHeader()))) {
                headers.add(EncodedHeader.encode(header.name(), value));
            }
        }
        return headers;
    }

    // ---- what is printed

    private static final Set<String> NUMBERS = Set.of(
            OutputRecords.SIMILARITY,
            OutputRecords.SIMILARITY_WHOLE,
            OutputRecords.CONTAINMENT_OF_DUPLICATE,
            OutputRecords.CONTAINMENT_OF_ORIGINAL);

    /**
     * What was found.
     *
     * @param judged how it was judged, as far as verdicts tell
     * @param nearest of a document that is unique, as it would be judged now
     */
    private record Why(
            String id,
            Found found,
            Optional<Found> original,
            Judged judged,
            Optional<Nearest> nearest,
            NeardupConfig config)
            implements Report {
        @Override
        public TextTable text() {
            TextTable text = new TextTable();
            text.row("id", id).row("outcome", outcome());
            headers().forEach((header, value) -> text.row(header.replaceFirst("^neardup\\.", ""), value));
            text.row("record", place(found.record()));
            judged.notRead.ifPresent(why -> text.row("verdict", "not read: " + why));
            nearest.ifPresent(documents -> addNearest(documents, text));
            if (found.outcome() == Outcome.DUPLICATE) {
                text.row(
                        "original's record",
                        original.map(one -> place(one.record())).orElseGet(this::notFound));
                addTexts(text);
            }
            return text;
        }

        private String outcome() {
            if (found.outcome() == null) {
                return "came in, and is on no output: it has not left yet, or what left is deleted";
            }
            return switch (found.outcome()) {
                case UNIQUE -> "unique" + nearestThen().map(this::nearestThen).orElse("");
                case DUPLICATE -> "duplicate";
                case DEAD_LETTER -> "dead letter";
                case TOMBSTONE -> "tombstone: documents of this key are taken back";
            };
        }

        /** The nearest original, below the threshold, as it was judged. */
        private Optional<Verdict.Nearest> nearestThen() {
            return judged.verdict.map(Verdict::nearest);
        }

        private String nearestThen(Verdict.Nearest original) {
            boolean areTheSettings = judged.verdict
                    .map(Verdict::settings)
                    .filter(config.fingerprint()::equals)
                    .isPresent();
            return "; nearest " + original.id() + " at " + TextTable.below(original.similarity(), 3)
                    + (areTheSettings ? ", threshold " + config.threshold() : ", judged by other settings");
        }

        /** Those that the service has added: an output has none of their names from elsewhere. */
        private Map<String, String> headers() {
            Map<String, String> headers = new LinkedHashMap<>();
            if (found.outcome() != null) {
                for (RecordHeader header : found.record().headers()) {
                    String name = header.name();
                    if (OutputRecords.isTakenOff(name) && !name.equals(OutputRecords.ID)) {
                        found.record().header(name).ifPresent(value -> headers.put(name, value));
                    }
                }
            }
            return headers;
        }

        private static String place(InputRecord record) {
            return record.topic() + "-" + record.partition() + " offset " + record.offset() + ", "
                    + Instant.ofEpochMilli(record.timestamp());
        }

        private static void addNearest(Nearest nearest, TextTable text) {
            nearest.notAsked.ifPresent(why -> text.row("nearest", "not asked: " + why));
            if (nearest.notAsked.isEmpty() && nearest.found.isEmpty()) {
                text.row("nearest", "none: no other document that is like it shares a bucket");
            }
            for (JsonNode one : nearest.found) {
                String alike =
                        TextTable.format(", %.3f alike", one.path("similarity").asDouble());
                String whole = TextTable.format(
                        " (%.3f with boilerplate)", one.path("whole").asDouble());
                text.row(
                        "nearest",
                        one.path("id").asText()
                                + alike
                                + (one.has("whole") ? whole : "")
                                + (one.path("pending").asBoolean() ? ", not decided yet" : ""));
            }
            nearest.bounded.forEach(bounded -> text.row("nearest", bounded));
        }

        private String notFound() {
            return found.record().header(OutputRecords.DUPLICATE_OF_SEED).isPresent()
                    ? "in the seed: it never left"
                    : "not on " + config.uniqueTopic() + " any more, as far back as was read";
        }

        private void addTexts(TextTable text) {
            Optional<String> first = original.flatMap(Found::text);
            if (first.isEmpty() || found.text().isEmpty()) {
                text.row("texts", "not both on the topics");
                return;
            }
            String originalId =
                    found.record().header(OutputRecords.DUPLICATE_OF).orElse("");
            text.blank()
                    .asIs(SideBySide.pair(
                            originalId, id, first.get(), found.text().get(), TEXT_LINES_MAX));
        }

        @Override
        public Object json() {
            Map<String, Object> all = new LinkedHashMap<>();
            all.put("id", id);
            all.put(
                    "outcome",
                    found.outcome() == null ? "not-left" : found.outcome().code());
            headers().forEach((name, value) -> all.put(name, figure(name, value)));
            all.put("record", Place.of(found.record()));
            // As the verdict has it; beside it stands what the service names by now.
            nearestThen().ifPresent(one -> all.put("verdict", Map.of("nearest", one)));
            judged.notRead.ifPresent(why -> all.put("verdictNotRead", why));
            original.ifPresent(one -> all.put("originalRecord", Place.of(one.record())));
            nearest.flatMap(Nearest::notAsked).ifPresent(why -> all.put("nearestNotAsked", why));
            nearest.filter(documents -> documents.notAsked.isEmpty())
                    .ifPresent(documents -> all.put("nearest", documents.found));
            return all;
        }

        /** A number where the header has one; what is written there is not only by the service. */
        private static Object figure(String header, String value) {
            try {
                return NUMBERS.contains(header) ? (Object) Double.parseDouble(value) : value;
            } catch (NumberFormatException e) {
                return value;
            }
        }
    }

    private record Place(String topic, int partition, long offset, long timestamp) {
        static Place of(InputRecord record) {
            return new Place(record.topic(), record.partition(), record.offset(), record.timestamp());
        }
    }
}
