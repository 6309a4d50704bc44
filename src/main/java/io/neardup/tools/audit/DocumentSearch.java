package io.neardup.tools.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.config.NeardupConfig;
import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Position;
import io.neardup.service.cluster.ClusterAdmin.FoundTopic;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.input.InputGenerations;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.tools.feed.TopicReading;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Finds what became of a document, by its id: reads topics back from now until it is there. */
public final class DocumentSearch {
    /** The first stretch is short, as what is asked for is mostly young; each later one is twice as long. */
    private static final long FIRST_STRETCH = 100;

    private static final long STRETCH_MAX = 64_000;

    /** At equal timestamps duplicates come first and dead letters last, as a resent record keeps its timestamp. */
    private static final Comparator<Found> YOUNGEST_FIRST = Comparator.comparingLong(
                    (Found one) -> one.record().timestamp())
            .thenComparing(one -> one.outcome() != Outcome.DEAD_LETTER)
            .thenComparing(one -> one.outcome() == Outcome.DUPLICATE)
            .thenComparingLong(one -> one.record().offset())
            .reversed();

    private final NeardupConfig config;
    private final ClusterView cluster;
    private final OptionalLong sinceMillis;
    private final Consumer<String> progress;
    private final DocumentReader reader;

    /** @param sinceMillis the first timestamp of the records that are looked at; empty for all that are there */
    public DocumentSearch(ClusterView cluster, OptionalLong sinceMillis, Consumer<String> progress) {
        this.config = cluster.config();
        this.cluster = cluster;
        this.sinceMillis = sinceMillis;
        this.progress = progress;
        this.reader = config.documentReaders().get();
    }

    /**
     * A record of a document that was asked for.
     *
     * @param id of the document; its place where that is not known
     * @param outcome what the topic that it is on says; null for an input, where it is on no output
     * @param text of the document; empty where the record does not hold it, or is no document
     */
    public record Found(String id, @Nullable Outcome outcome, InputRecord record, Optional<String> text) {}

    /**
     * The youngest record of the document on the outputs, and after it those of the other outputs, as far as they were
     * read back to its time; else the same of inputs.
     *
     * @param id of the document, or the place where it came in, as long as the input has it there
     * @throws IOException if a topic cannot be read
     */
    public List<Found> find(String id) throws IOException {
        Optional<InputRecord> there =
                atPlace(id).filter(record -> record.timestamp() >= sinceMillis.orElse(Long.MIN_VALUE));
        if (there.isPresent()) {
            InputRecord cameIn = there.get();
            String own = document(cameIn).map(Document::id).orElse(cameIn.place());
            boolean keepsTimestamps = cluster.keepsTimestamps(config.recordTopics());
            List<Found> left = youngest(
                    config.recordTopics(),
                    record -> leftFrom(
                            cameIn, own, record, !keepsTimestamps || record.timestamp() == cameIn.timestamp()));
            return left.isEmpty() ? List.of(found(own, null, cameIn)) : left;
        }
        List<Found> left = youngest(config.recordTopics(), record -> left(record, id));
        return left.isEmpty() ? youngest(config.inputTopics(), record -> cameIn(record, id)) : left;
    }

    /**
     * The youngest document of the id on {@code unique}; of several of one id that of the place, where the input still
     * has it.
     *
     * @param place where it came in, as a duplicate says; null where it does not
     * @throws IOException if a topic cannot be read
     */
    public Optional<Found> findOriginal(String id, @Nullable String place) throws IOException {
        Optional<InputRecord> cameIn =
                place == null ? Optional.empty() : atPlace(place).filter(record -> isDocument(record, id));
        return youngest(List.of(config.uniqueTopic()), record -> left(record, id)
                        .filter(document -> document.outcome() == Outcome.UNIQUE)
                        .filter(document ->
                                cameIn.isEmpty() || Arrays.equals(cameIn.get().value(), record.value())))
                .stream()
                .findFirst();
    }

    private Optional<InputRecord> atPlace(String place) throws IOException {
        Optional<Position> position = Position.of(InputGenerations.withoutGeneration(place))
                .filter(named -> config.inputTopics().contains(named.topic()) && isThere(named));
        return position.isPresent() ? ExampleTexts.read(cluster, position.get()) : Optional.empty();
    }

    private boolean isThere(Position position) {
        FoundTopic topic = cluster.admin().findNow(List.of(position.topic())).get(position.topic());
        return topic != null && position.partition() < topic.partitions();
    }

    /**
     * The youngest verdict that calls a document of the id unique, on a record of its timestamp where {@code unique}
     * keeps those: several may have one id.
     *
     * @throws IOException if the topic cannot be read, or something on it is no verdict
     */
    public Optional<Verdict> findUniqueVerdict(String id, long timestampMillis) throws IOException {
        boolean keepsTimestamps = cluster.keepsTimestamps(List.of(config.uniqueTopic()));
        List<Found> found = youngest(List.of(config.verdictsTopic()), record -> {
            Verdict verdict = RecordOutcome.verdict(record);
            boolean isIt = verdict.outcome() == Outcome.UNIQUE
                    && verdict.id().equals(id)
                    && (!keepsTimestamps || verdict.timestampMillis() == timestampMillis);
            return isIt ? Optional.of(new Found(id, verdict.outcome(), record, Optional.empty())) : Optional.empty();
        });
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(RecordOutcome.verdict(found.get(0).record()));
    }

    /** What a record is to who asks; empty where it is nothing. */
    private interface Recognition {
        Optional<Found> of(InputRecord record) throws IOException;
    }

    /**
     * Reads back, a stretch of each partition at a time, until nothing is left that is as young as what was found.
     * Offsets of partitions say nothing of each other.
     */
    private List<Found> youngest(List<String> topics, Recognition recognition) throws IOException {
        List<TopicPartition> all = cluster.partitionsOf(topics);
        Map<TopicPartition, Long> ends = new HashMap<>(cluster.admin().committedEnds(all));
        Map<TopicPartition, Long> beginnings = new HashMap<>(cluster.admin().starts(sinceMillis, all));
        Map<String, Found> found = new HashMap<>();
        try (KafkaConsumer<byte[], byte[]> consumer = cluster.reader()) {
            for (long stretch = FIRST_STRETCH; ; stretch = Math.min(STRETCH_MAX, 2 * stretch)) {
                ends.entrySet().removeIf(end -> end.getValue() <= TopicReading.offset(beginnings, end.getKey()));
                if (ends.isEmpty()) {
                    return found.values().stream().sorted(YOUNGEST_FIRST).toList();
                }
                long offsets = stretch;
                Map<TopicPartition, Long> starts = new HashMap<>(ends);
                starts.replaceAll(
                        (partition, end) -> Math.max(TopicReading.offset(beginnings, partition), end - offsets));
                new TopicReading(consumer, starts, ends)
                        .readAll(
                                record -> recognition
                                        .of(record)
                                        .ifPresent(one -> found.merge(record.topic(), one, DocumentSearch::younger)),
                                text -> {});
                ends.putAll(starts);
                OptionalLong foundMillis = found.values().stream()
                        .mapToLong(one -> one.record().timestamp())
                        .max();
                if (foundMillis.isPresent()) {
                    cluster.admin()
                            .starts(foundMillis, ends.keySet())
                            .forEach((partition, start) -> beginnings.merge(partition, start, Math::max));
                }
                long left = starts.entrySet().stream()
                        .mapToLong(start -> start.getValue() - TopicReading.offset(beginnings, start.getKey()))
                        .map(toGo -> Math.max(0, toGo))
                        .sum();
                progress.accept(String.format(Locale.ROOT, "%s: %,d offsets to go", String.join(", ", topics), left));
            }
        }
    }

    private static Found younger(Found one, Found other) {
        return YOUNGEST_FIRST.compare(one, other) <= 0 ? one : other;
    }

    private Optional<Found> left(InputRecord record, String id) throws IOException {
        RecordOutcome outcome = RecordOutcome.of(record, config);
        boolean isNamed = outcome.id().filter(id::equals).isPresent();
        boolean isIt =
                switch (outcome.outcome()) {
                    case UNIQUE -> isDocument(record, id);
                    case DUPLICATE -> isNamed;
                    case DEAD_LETTER -> isNamed || cameFrom(outcome, id) || keyIs(record, id);
                    case TOMBSTONE -> keyIs(record, id);
                };
        return isIt ? Optional.of(found(id, outcome.outcome(), record)) : Optional.empty();
    }

    /**
     * The same of the record that came in at a place: other records may have its id, and other timestamps.
     *
     * @param id of its document
     * @param isOfItsTime whether the timestamps of the two do not tell them apart; a dead letter may have another
     */
    private Optional<Found> leftFrom(InputRecord cameIn, String id, InputRecord record, boolean isOfItsTime)
            throws IOException {
        RecordOutcome outcome = RecordOutcome.of(record, config);
        boolean isIt =
                switch (outcome.outcome()) {
                    case UNIQUE, TOMBSTONE ->
                        isOfItsTime
                                && Arrays.equals(record.key(), cameIn.key())
                                && Arrays.equals(record.value(), cameIn.value());
                    case DUPLICATE ->
                        isOfItsTime
                                && outcome.id().filter(id::equals).isPresent()
                                && !namesAsOriginal(cameIn.place(), record);
                    case DEAD_LETTER -> cameFrom(outcome, cameIn.place());
                };
        return isIt ? Optional.of(found(outcome.id().orElse(id), outcome.outcome(), record)) : Optional.empty();
    }

    /**
     * Whether a duplicate names the record at this place as its original: then it is a copy, not that record itself,
     * even if equal to the byte.
     */
    private static boolean namesAsOriginal(String place, InputRecord duplicate) {
        return duplicate
                .header(OutputRecords.DUPLICATE_OF_PLACE)
                .map(InputGenerations::withoutGeneration)
                .filter(place::equals)
                .isPresent();
    }

    private Optional<Found> cameIn(InputRecord record, String id) {
        return record.place().equals(id) || keyIs(record, id) || isDocument(record, id)
                ? Optional.of(found(id, null, record))
                : Optional.empty();
    }

    /** The place where a dead letter came in may be its id. */
    private static boolean cameFrom(RecordOutcome outcome, String id) {
        return outcome.source() != null && outcome.source().toString().equals(id);
    }

    private static boolean keyIs(InputRecord record, String id) {
        return Arrays.equals(record.key(), id.getBytes(UTF_8));
    }

    private boolean isDocument(InputRecord record, String id) {
        return document(record).filter(document -> document.id().equals(id)).isPresent();
    }

    private Optional<Document> document(InputRecord record) {
        return reader.read(record) instanceof Document document ? Optional.of(document) : Optional.empty();
    }

    private Found found(String id, @Nullable Outcome outcome, InputRecord record) {
        return new Found(id, outcome, record, document(record).map(document -> document.text()
                .decode()));
    }
}
