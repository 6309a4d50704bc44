package io.neardup.tools.audit;

import io.neardup.config.NeardupConfig;
import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Position;
import io.neardup.record.Verdict.Repeated;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.input.InputGenerations;
import io.neardup.tools.analysis.DocumentLines;
import io.neardup.tools.audit.DiffReport.Pair;
import io.neardup.tools.feed.TopicReading;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The texts of the documents that examples name, by id, as far as they are still there. */
public final class ExampleTexts {
    private final NeardupConfig config;
    private final Set<String> wanted = new HashSet<>();
    private final Map<String, Position> positions = new HashMap<>();
    private final Map<String, String> texts = new HashMap<>();
    private @Nullable Exception failure;

    public ExampleTexts(NeardupConfig config, List<Pair> examples) {
        this.config = config;
        examples.forEach(example -> Stream.of(example.a(), example.b()).forEach(this::want));
    }

    private void want(Verdict verdict) {
        wanted.add(verdict.id());
        positions.put(verdict.id(), verdict.position());
        Repeated repeated = verdict.repeated();
        if (repeated != null) {
            wanted.add(repeated.original());
            Optional.ofNullable(repeated.place())
                    .map(InputGenerations::withoutGeneration)
                    .flatMap(Position::of)
                    .ifPresent(place -> positions.putIfAbsent(repeated.original(), place));
        }
    }

    /** Looks into files of documents, as far as they can be read. */
    public void readFiles(List<String> files, InputStream standardInput) {
        try (DocumentLines lines = new DocumentLines(files, standardInput, config)) {
            for (Document document = lines.next();
                    document != null && texts.size() < wanted.size();
                    document = lines.next()) {
                if (wanted.contains(document.id())) {
                    texts.putIfAbsent(document.id(), document.text().decode());
                }
            }
        } catch (IOException e) {
            note(e);
        }
    }

    /** Looks into the input, at the positions that verdicts say. A topic that cannot be read is skipped. */
    public void readInput(ClusterView cluster) {
        DocumentReader reader = config.documentReaders().get();
        Set<String> unreadable = new HashSet<>();
        positions.forEach((id, position) -> {
            try {
                if (!unreadable.contains(position.topic())) {
                    read(cluster, position)
                            .map(reader::read)
                            .filter(Document.class::isInstance)
                            .map(Document.class::cast)
                            .filter(document -> document.id().equals(id)) // Else the topic was made again since.
                            .ifPresent(document -> texts.put(id, document.text().decode()));
                }
            } catch (IOException | StartupException | KafkaException e) {
                unreadable.add(position.topic());
                note(e);
            }
        });
    }

    private void note(Exception e) {
        failure = failure == null ? e : failure;
    }

    private static Optional<InputRecord> read(ClusterView cluster, Position position) throws IOException {
        TopicPartition partition = new TopicPartition(position.topic(), position.partition());
        long beginning = TopicReading.of(cluster.admin().beginnings(List.of(partition)), partition);
        if (position.offset() < beginning) {
            return Optional.empty();
        }
        try (KafkaConsumer<byte[], byte[]> consumer = cluster.reader()) {
            TopicReading reading = new TopicReading(
                    consumer, Map.of(partition, position.offset()), Map.of(partition, position.offset() + 1));
            return Optional.ofNullable(reading.next());
        }
    }

    /** The first of what kept texts from being read; mostly nothing. */
    public Optional<Exception> failure() {
        return Optional.ofNullable(failure);
    }

    /** The text of a document; null where it was not found. */
    public @Nullable String of(String id) {
        return texts.get(id);
    }
}
