package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.record.InputRecord;
import io.neardup.record.RecordHeader;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Outcome;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.tools.audit.DocumentSearch;
import io.neardup.tools.audit.DocumentSearch.Found;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "why",
        description = {
            "Tells what became of a document, and why.",
            "It reads the outputs of a service, running or not, back from now until the document is there."
        },
        footer = {
            "Example, with the settings that the service runs with:",
            "  java -jar neardup.jar why reef-map/2 --config config/neardup.properties \\",
            "      --bootstrap-server localhost:9092 --since 7d",
            "",
            "Of a duplicate it shows the original, how similar they are, and both texts where",
            "the topics still hold them. Of one that is unique it tells the nearest original",
            "that was not similar enough, where verdicts are written; check asks a service.",
            "",
            "A document without an id has the key of its record for one, or its place. Any",
            "place of the input will do, such as documents-0-17, while its record is there."
        })
final class WhyCommand extends ClusterCommand {
    private static final int TEXT_LINES_MAX = 30;

    @Parameters(paramLabel = "ID", description = "The id of the document, or its place in the input.")
    private String id = "";

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Go back no further than this: a time such as 12h or 7d before now, or 2026-01-31T08:00:00Z;"
                    + " by the timestamps of the documents. By default all that is there, or back to the timestamp of"
                    + " what is found first: where that is old, this makes the search shorter.")
    private @Nullable String since;

    @Override
    public Integer call() throws IOException {
        OptionalLong sinceMillis = since(since);
        NeardupConfig config = clusterConfig(options)
                .requireRecords("a document is looked for on the topics of records; the verdict on one is on"
                        + " neardup.verdicts.topic, under its place, such as documents-0-17");
        Why why;
        try (ProgressLines progress = progress();
                ClusterView cluster = new ClusterView(config)) {
            progress.phase("reading back");
            DocumentSearch search = new DocumentSearch(cluster, sinceMillis, progress::update);
            List<Found> all = search.find(id);
            if (all.isEmpty()) {
                throw new IOException(notFound(config));
            }
            Found found = all.get(0);
            Optional<String> named = found.record().header(OutputRecords.DUPLICATE_OF);
            // Where its original is of a seed, another document may have left under that id.
            boolean hasLeftOriginal = found.outcome() == Outcome.DUPLICATE
                    && named.isPresent()
                    && found.record().header(OutputRecords.DUPLICATE_OF_SEED).isEmpty();
            Optional<String> place = found.record().header(OutputRecords.DUPLICATE_OF_PLACE);
            Optional<Found> original =
                    hasLeftOriginal ? search.findOriginal(named.get(), place.orElse(null)) : Optional.empty();
            Optional<Verdict> verdict = found.outcome() == Outcome.UNIQUE && config.writesVerdicts()
                    ? search.findUniqueVerdict(found.id(), found.record().timestamp())
                    : Optional.empty();
            why = new Why(found.id(), found, all.subList(1, all.size()), original, verdict);
        }
        print(why::text, why::json);
        return ExitCode.OK;
    }

    private String notFound(NeardupConfig config) {
        return id + ": expected a document of this id, found none on " + String.join(", ", config.recordTopics())
                + ", nor on " + String.join(", ", config.inputTopics())
                + (since == null ? ", read back to the first record that is there" : ", read back to --since " + since)
                + "; check the id and its letters, and that the settings are those of the service";
    }

    private static final Set<String> NUMBERS = Set.of(
            OutputRecords.SIMILARITY,
            OutputRecords.SIMILARITY_WHOLE,
            OutputRecords.CONTAINMENT_OF_DUPLICATE,
            OutputRecords.CONTAINMENT_OF_ORIGINAL);

    /**
     * @param others records of the document on other topics, the youngest first
     * @param verdict on a document that is unique, where verdicts are written
     */
    private record Why(
            String id, Found found, List<Found> others, Optional<Found> original, Optional<Verdict> verdict) {
        TextTable text() {
            TextTable text = new TextTable().fields(json());
            if (found.outcome() == null) {
                text.text("It is on the input and on no output: it has not left yet, or its output record was"
                        + " deleted.");
            }
            if (found.outcome() == Outcome.DUPLICATE && original.isEmpty()) {
                text.text(
                        found.record().header(OutputRecords.DUPLICATE_OF_SEED).isPresent()
                                ? "Its original is a seed document, which is on no output."
                                : "Its original was not found, as far back as was read.");
            }
            Optional<String> first = original.flatMap(Found::text);
            if (first.isPresent() && found.text().isPresent()) {
                String originalId = original.get().id();
                text.blank()
                        .asIs(SideBySide.pair(
                                originalId, id, first.get(), found.text().get(), TEXT_LINES_MAX));
            }
            return text;
        }

        /** Those that the service has added: an output has none of their names from elsewhere. */
        private Map<String, String> headers() {
            Map<String, String> headers = new LinkedHashMap<>();
            for (RecordHeader header : found.record().headers()) {
                String name = header.name();
                if (found.outcome() != null && OutputRecords.isTakenOff(name) && !name.equals(OutputRecords.ID)) {
                    found.record().header(name).ifPresent(value -> headers.put(name, value));
                }
            }
            return headers;
        }

        Map<String, Object> json() {
            Map<String, Object> all = new LinkedHashMap<>();
            all.put("id", id);
            all.put(
                    "outcome",
                    found.outcome() == null ? "not-left" : found.outcome().code());
            headers().forEach((name, value) -> all.put(name, figure(name, value)));
            all.put("record", Place.of(found.record()));
            all.put("before", others.stream().map(Found::record).map(Place::of).toList());
            verdict.map(Verdict::nearest).ifPresent(one -> all.put("verdict", Map.of("nearest", one)));
            original.ifPresent(one -> all.put("originalRecord", Place.of(one.record())));
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

    private record Place(String topic, int partition, long offset, long timestamp, String time) {
        static Place of(InputRecord record) {
            return new Place(
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    record.timestamp(),
                    Instant.ofEpochMilli(record.timestamp()).toString());
        }
    }
}
