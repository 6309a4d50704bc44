package io.neardup.tools.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.config.NeardupConfig;
import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.tools.audit.FoundDocument.FoundAs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Finds what became of a document, by its id: reads topics back from now until it is there. */
public final class DocumentSearch {
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
     * The youngest record of the document on the outputs; else the one on an input.
     *
     * @throws IOException if a topic cannot be read
     */
    public Optional<FoundDocument> find(String id) throws IOException {
        Optional<FoundDocument> left = youngest(config.recordTopics(), record -> leftAs(record, id));
        return left.isPresent() ? left : youngest(config.inputTopics(), record -> cameIn(record, id));
    }

    /**
     * The youngest document of the id on {@code unique}.
     *
     * @throws IOException if the topic cannot be read
     */
    public Optional<FoundDocument> findOriginal(String id) throws IOException {
        return youngest(List.of(config.uniqueTopic()), record -> leftAs(record, id)
                .filter(document -> document.foundAs() == FoundAs.UNIQUE));
    }

    /** What a record is to who asks; empty where it is nothing. */
    private interface Recognition {
        Optional<FoundDocument> of(InputRecord record);
    }

    private Optional<FoundDocument> youngest(List<String> topics, Recognition recognition) throws IOException {
        Map<String, Integer> partitions = cluster.partitions(topics);
        List<TopicPartition> all = topics.stream()
                .flatMap(topic -> IntStream.range(0, Objects.requireNonNull(partitions.get(topic)))
                        .mapToObj(number -> new TopicPartition(topic, number)))
                .toList();
        Map<TopicPartition, Long> ends = cluster.admin().committedEnds(all);
        Map<TopicPartition, Long> beginnings = sinceMillis.isPresent()
                ? cluster.admin().offsetsAt(sinceMillis.getAsLong(), all)
                : cluster.admin().beginnings(all);
        List<FoundDocument> found = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = cluster.reader()) {
            BackwardReading reading = new BackwardReading(consumer, beginnings, ends);
            String where = String.join(", ", topics);
            while (found.isEmpty()
                    && reading.readBack(
                            record -> recognition.of(record).ifPresent(found::add),
                            missing -> progress.accept(
                                    String.format(Locale.ROOT, "%s: %,d offsets to go", where, missing)))) {
                // Back to the stretch in which it is.
            }
        }
        return found.stream()
                .max(Comparator.comparingLong(
                                (FoundDocument one) -> one.record().timestamp())
                        .thenComparingLong(one -> one.record().offset()));
    }

    private Optional<FoundDocument> leftAs(InputRecord record, String id) {
        if (record.topic().equals(config.duplicatesTopic())) {
            return has(record, OutputRecords.ID, id) ? found(FoundAs.DUPLICATE, record) : Optional.empty();
        }
        if (record.topic().equals(config.deadLetterTopic())) {
            return has(record, OutputRecords.ID, id) || source(record).equals(id) || keyIs(record, id)
                    ? found(FoundAs.DEAD_LETTER, record)
                    : Optional.empty();
        }
        if (record.value() == null) {
            return keyIs(record, id) ? found(FoundAs.TOMBSTONE, record) : Optional.empty();
        }
        return isDocument(record, id) ? found(FoundAs.UNIQUE, record) : Optional.empty();
    }

    private Optional<FoundDocument> cameIn(InputRecord record, String id) {
        return record.place().equals(id) || keyIs(record, id) || isDocument(record, id)
                ? found(FoundAs.NOT_LEFT, record)
                : Optional.empty();
    }

    private static boolean has(InputRecord record, String header, String value) {
        return AuditedTopics.header(record, header).filter(value::equals).isPresent();
    }

    /** Where a dead letter came in, in the form of an id. */
    private static String source(InputRecord record) {
        return AuditedTopics.header(record, OutputRecords.SOURCE_TOPIC).orElse("") + "-"
                + AuditedTopics.header(record, OutputRecords.SOURCE_PARTITION).orElse("") + "-"
                + AuditedTopics.header(record, OutputRecords.SOURCE_OFFSET).orElse("");
    }

    private static boolean keyIs(InputRecord record, String id) {
        return Arrays.equals(record.key(), id.getBytes(UTF_8));
    }

    private boolean isDocument(InputRecord record, String id) {
        return reader.read(record) instanceof Document document && document.id().equals(id);
    }

    private Optional<FoundDocument> found(FoundAs foundAs, InputRecord record) {
        Optional<String> text = reader.read(record) instanceof Document document
                ? Optional.of(document.text().decode())
                : Optional.empty();
        return Optional.of(new FoundDocument(foundAs, record, text));
    }
}
