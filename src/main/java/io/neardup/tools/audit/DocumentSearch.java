package io.neardup.tools.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.config.NeardupConfig;
import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Outcome;
import io.neardup.service.migration.ClusterView;
import io.neardup.tools.feed.TopicReading;
import java.io.IOException;
import java.util.ArrayList;
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

    private final NeardupConfig config;
    private final ClusterView cluster;
    private final OptionalLong sinceMillis;
    private final Consumer<String> progress;
    private final DocumentReader reader;

    /**
     * @param cluster of the same settings
     * @param sinceMillis the first timestamp of the records that are looked at; empty for all that are there
     * @param progress told how far it is
     */
    public DocumentSearch(
            NeardupConfig config, ClusterView cluster, OptionalLong sinceMillis, Consumer<String> progress) {
        this.config = config;
        this.cluster = cluster;
        this.sinceMillis = sinceMillis;
        this.progress = progress;
        this.reader = config.documentReaders().get();
    }

    /**
     * A record of a document that was asked for.
     *
     * @param outcome what the topic that it is on says; null for an input, where it is on no output
     * @param text of the document; empty where the record does not hold it, or is no document
     */
    public record Found(@Nullable Outcome outcome, InputRecord record, Optional<String> text) {}

    /**
     * The youngest record of the document on the outputs; else the one on an input.
     *
     * @throws IOException if a topic cannot be read
     */
    public Optional<Found> find(String id) throws IOException {
        Optional<Found> left = youngest(config.recordTopics(), record -> left(record, id));
        return left.isPresent() ? left : youngest(config.inputTopics(), record -> cameIn(record, id));
    }

    /**
     * The youngest document of the id on {@code unique}.
     *
     * @throws IOException if the topic cannot be read
     */
    public Optional<Found> findOriginal(String id) throws IOException {
        return youngest(List.of(config.uniqueTopic()), record -> left(record, id)
                .filter(document -> document.outcome() == Outcome.UNIQUE));
    }

    /**
     * The youngest verdict that calls a document of the id unique, on a record of its timestamp: several may have one
     * id.
     *
     * @throws IOException if the topic cannot be read, or something on it is no verdict
     */
    public Optional<Verdict> findUniqueVerdict(String id, long timestampMillis) throws IOException {
        Optional<Found> found = youngest(List.of(config.verdictsTopic()), record -> {
            Verdict verdict = RecordOutcome.verdict(record);
            boolean isIt = verdict.outcome() == Outcome.UNIQUE
                    && verdict.id().equals(id)
                    && verdict.timestampMillis() == timestampMillis;
            return isIt ? Optional.of(new Found(verdict.outcome(), record, Optional.empty())) : Optional.empty();
        });
        return found.isPresent() ? Optional.of(RecordOutcome.verdict(found.get().record())) : Optional.empty();
    }

    /** What a record is to who asks; empty where it is nothing. */
    private interface Recognition {
        Optional<Found> of(InputRecord record) throws IOException;
    }

    /** Reads back, a stretch of each partition at a time, to the one in which it is. */
    private Optional<Found> youngest(List<String> topics, Recognition recognition) throws IOException {
        List<TopicPartition> all = cluster.partitionsOf(topics);
        Map<TopicPartition, Long> ends = new HashMap<>(cluster.admin().committedEnds(all));
        Map<TopicPartition, Long> beginnings = cluster.admin().starts(sinceMillis, all);
        List<Found> found = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = cluster.reader()) {
            for (long stretch = FIRST_STRETCH; found.isEmpty(); stretch = Math.min(STRETCH_MAX, 2 * stretch)) {
                ends.entrySet().removeIf(end -> end.getValue() <= TopicReading.of(beginnings, end.getKey()));
                if (ends.isEmpty()) {
                    return Optional.empty();
                }
                long offsets = stretch;
                Map<TopicPartition, Long> starts = new HashMap<>(ends);
                starts.replaceAll((partition, end) -> Math.max(TopicReading.of(beginnings, partition), end - offsets));
                new TopicReading(consumer, starts, ends)
                        .readAll(record -> recognition.of(record).ifPresent(found::add), text -> {});
                ends.putAll(starts);
                long left = starts.entrySet().stream()
                        .mapToLong(start -> start.getValue() - TopicReading.of(beginnings, start.getKey()))
                        .sum();
                progress.accept(String.format(Locale.ROOT, "%s: %,d offsets to go", String.join(", ", topics), left));
            }
        }
        return found.stream()
                .max(Comparator.comparingLong((Found one) -> one.record().timestamp())
                        .thenComparingLong(one -> one.record().offset()));
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
        return isIt ? Optional.of(found(outcome.outcome(), record)) : Optional.empty();
    }

    private Optional<Found> cameIn(InputRecord record, String id) {
        return record.place().equals(id) || keyIs(record, id) || isDocument(record, id)
                ? Optional.of(found(null, record))
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

    private Found found(@Nullable Outcome outcome, InputRecord record) {
        return new Found(outcome, record, document(record).map(document -> document.text()
                .decode()));
    }
}
