package io.neardup.tools.audit;

import io.neardup.config.NeardupConfig;
import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Position;
import io.neardup.record.Verdict.Repeated;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.input.InputGenerations;
import io.neardup.tools.analysis.DocumentLines;
import io.neardup.tools.audit.DiffReport.Pair;
import io.neardup.tools.feed.TopicReading;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The texts of the documents that examples name, by id, as far as they are still there. */
public final class ExampleTexts {
    private final NeardupConfig config;
    /** Where each document came in, by id; empty where nothing says it. */
    private final Map<String, Optional<Position>> wanted = new HashMap<>();

    private final Map<String, String> texts = new HashMap<>();

    public ExampleTexts(NeardupConfig config, List<Pair> examples) {
        this.config = config;
        examples.forEach(example -> Stream.of(example.a(), example.b()).forEach(this::want));
    }

    private void want(Verdict verdict) {
        wanted.put(verdict.id(), Optional.of(verdict.position()));
        Repeated repeated = verdict.repeated();
        if (repeated != null) {
            Optional<Position> place = Optional.ofNullable(repeated.place())
                    .map(InputGenerations::withoutGeneration)
                    .flatMap(Position::of);
            wanted.merge(repeated.original(), place, (known, other) -> known.isPresent() ? known : other);
        }
    }

    /** Looks into files of documents. */
    public void readFiles(List<String> files, InputStream standardInput) throws IOException {
        try (DocumentLines lines = new DocumentLines(files, standardInput, config)) {
            for (Document document = lines.next();
                    document != null && texts.size() < wanted.size();
                    document = lines.next()) {
                if (wanted.containsKey(document.id())) {
                    texts.putIfAbsent(document.id(), document.text().decode());
                }
            }
        }
    }

    /** Looks into the input, at the positions that verdicts say. */
    public void readInput(ClusterView cluster) throws IOException {
        DocumentReader reader = config.documentReaders().get();
        try (KafkaConsumer<byte[], byte[]> consumer = cluster.reader()) {
            for (Map.Entry<String, Optional<Position>> one : wanted.entrySet()) {
                InputRecord record = one.getValue().isPresent()
                        ? read(cluster, consumer, one.getValue().get())
                        : null;
                // Of another id the topic was made again since.
                if (record != null
                        && reader.read(record) instanceof Document document
                        && document.id().equals(one.getKey())) {
                    texts.put(document.id(), document.text().decode());
                }
            }
        }
    }

    /** Null where it is deleted. */
    private static @Nullable InputRecord read(
            ClusterView cluster, KafkaConsumer<byte[], byte[]> consumer, Position position) throws IOException {
        TopicPartition partition = new TopicPartition(position.topic(), position.partition());
        long beginning = TopicReading.of(cluster.admin().beginnings(List.of(partition)), partition);
        return position.offset() < beginning
                ? null
                : new TopicReading(
                                consumer,
                                Map.of(partition, position.offset()),
                                Map.of(partition, position.offset() + 1))
                        .next();
    }

    /** The text of a document; null where it was not found. */
    public @Nullable String of(String id) {
        return texts.get(id);
    }
}
