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

/** The texts of the documents that examples name, as far as they are still there. */
public final class ExampleTexts {
    private final NeardupConfig config;
    private final Set<String> wanted = new HashSet<>();
    /** Ids by the positions that verdicts say: several documents may have one. */
    private final Map<Position, String> positions = new HashMap<>();

    private final Map<Position, String> texts = new HashMap<>();
    /** Of files, which say no positions. */
    private final Map<String, String> textsById = new HashMap<>();

    private @Nullable Exception failure;

    public ExampleTexts(NeardupConfig config, List<Pair> examples) {
        this.config = config;
        examples.forEach(example -> Stream.of(example.a(), example.b()).forEach(this::want));
    }

    private void want(Verdict verdict) {
        wanted.add(verdict.id());
        positions.put(verdict.position(), verdict.id());
        Repeated repeated = verdict.repeated();
        if (repeated != null) {
            wanted.add(repeated.original());
            position(repeated).ifPresent(position -> positions.put(position, repeated.original()));
        }
    }

    private static Optional<Position> position(Repeated repeated) {
        return Optional.ofNullable(repeated.place())
                .map(InputGenerations::withoutGeneration)
                .flatMap(Position::of);
    }

    public void readFiles(List<String> files, InputStream standardInput) {
        try (DocumentLines lines = new DocumentLines(files, standardInput, config)) {
            for (Document document = lines.next();
                    document != null && textsById.size() < wanted.size();
                    document = lines.next()) {
                if (wanted.contains(document.id())) {
                    textsById.putIfAbsent(document.id(), document.text().decode());
                }
            }
        } catch (IOException e) {
            failure = e;
        }
    }

    /** Looks into the input, at the positions that verdicts say, until one cannot be read. */
    public void readInput(ClusterView cluster) {
        DocumentReader reader = config.documentReaders().get();
        try {
            for (Map.Entry<Position, String> wantedThere : positions.entrySet()) {
                Optional<InputRecord> record = read(cluster, wantedThere.getKey());
                // There is another document if the topic was made again since.
                if (record.map(reader::read).orElse(null) instanceof Document document
                        && document.id().equals(wantedThere.getValue())) {
                    texts.put(wantedThere.getKey(), document.text().decode());
                }
            }
        } catch (IOException | StartupException | KafkaException e) {
            failure = e;
        }
    }

    /** The record at a position; empty where it is deleted, or none has come yet. */
    static Optional<InputRecord> read(ClusterView cluster, Position position) throws IOException {
        TopicPartition partition = new TopicPartition(position.topic(), position.partition());
        long beginning = TopicReading.offset(cluster.admin().beginnings(List.of(partition)), partition);
        long end = TopicReading.offset(cluster.admin().committedEnds(List.of(partition)), partition);
        if (position.offset() < beginning || position.offset() >= end) {
            return Optional.empty();
        }
        try (KafkaConsumer<byte[], byte[]> consumer = cluster.reader()) {
            TopicReading reading = new TopicReading(
                    consumer, Map.of(partition, position.offset()), Map.of(partition, position.offset() + 1));
            return Optional.ofNullable(reading.next());
        }
    }

    /** What kept texts from being read; mostly nothing. */
    public Optional<Exception> failure() {
        return Optional.ofNullable(failure);
    }

    /** The text of the document that was judged; null where it was not found. */
    public @Nullable String of(Verdict verdict) {
        return of(verdict.position(), verdict.id());
    }

    /** The text of an original; null where it was not found. */
    public @Nullable String of(Repeated repeated) {
        return of(position(repeated).orElse(null), repeated.original());
    }

    private @Nullable String of(@Nullable Position position, String id) {
        String text = position == null ? null : texts.get(position);
        return text == null ? textsById.get(id) : text;
    }
}
