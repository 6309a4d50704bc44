package io.neardup.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.testing.NewsFeed.News;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The topics of an index that a release has made, as bytes: input, outputs and its own. It was killed while it worked:
 * of the input the outputs have a part, and of its messages some were not read yet.
 */
public final class KeptIndex {
    public static final String APPLICATION = "kept";
    public static final String SETTINGS = APPLICATION + "-settings";
    public static final int PARTITIONS = 2;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<Kept> records;

    private KeptIndex(List<Kept> records) {
        this.records = records;
    }

    /** A header of a record; null as Kafka has it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Field(String name, byte @Nullable [] value) {}

    /** A record as it was; of messages those that were not read. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Kept(
            String topic,
            int partition,
            long offset,
            long timestamp,
            byte[] key,
            byte @Nullable [] value,
            List<Field> headers) {}

    /** What it was fed, the first of more; round robin over the partitions. */
    public static List<News> news(int documents) {
        return NewsFeed.generateShort(documents, 71);
    }

    /** Where what is kept of a release lies. */
    public static Path folder(String release) {
        return Path.of("src/test/resources/io/neardup/upgrade", release);
    }

    public static KeptIndex of(String release) throws IOException {
        List<Kept> records = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(folder(release).resolve("topics.jsonl.gz"))), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                records.add(JSON.readValue(line, Kept.class));
            }
        }
        return new KeptIndex(records);
    }

    /** The records of one of its own topics, by the name behind that of the application. */
    public List<Kept> own(String name) {
        return records.stream()
                .filter(record -> record.topic().equals(APPLICATION + "-" + name))
                .toList();
    }

    /** How many documents it was fed. */
    public int documents() {
        return (int) records.stream()
                .filter(record -> record.topic().equals("documents"))
                .count();
    }

    /** The topics of an index, all of as many partitions; but for two, whose number does not follow from the input. */
    public static List<String> topics() {
        Stream<String> own = Stream.of(
                        "progress-changelog",
                        "originals-changelog",
                        "buckets-changelog",
                        "lookups",
                        "replies",
                        "checks")
                .map(name -> APPLICATION + "-" + name);
        return Stream.concat(Outputs.WITH_INPUT.stream(), Stream.concat(own, Stream.of(SETTINGS)))
                .toList();
    }

    private static int partitions(String topic) {
        return topic.equals(SETTINGS) || topic.endsWith("-checks") ? 1 : PARTITIONS;
    }

    /** Makes the topics, with all that they held; where ids of topics are noted, those of the new ones. */
    public void load(String servers) throws ExecutionException, InterruptedException, IOException {
        load(servers, settings -> settings);
    }

    /**
     * As {@link #load(String)}, with something changed.
     *
     * @param change what the index was made with
     */
    public void load(String servers, UnaryOperator<String> change)
            throws ExecutionException, InterruptedException, IOException {
        Map<String, String> ids = create(servers);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (Kept record : records) {
                byte[] value = record.topic().equals(SETTINGS) ? settings(record, ids, change) : record.value();
                producer.send(new ProducerRecord<>(
                                record.topic(),
                                record.partition(),
                                record.timestamp(),
                                record.key(),
                                value,
                                headers(record)))
                        .get();
            }
        }
    }

    private static List<Header> headers(Kept record) {
        List<Header> headers = new ArrayList<>();
        record.headers().forEach(field -> headers.add(new RecordHeader(field.name(), field.value())));
        return headers;
    }

    private static Map<String, String> create(String servers) throws ExecutionException, InterruptedException {
        for (String topic : topics()) {
            boolean compacted = topic.endsWith("-changelog") || topic.equals(SETTINGS);
            Records.createTopic(
                    servers,
                    topic,
                    partitions(topic),
                    compacted ? Map.of("cleanup.policy", "compact") : Map.of("retention.ms", "-1"));
        }
        Map<String, String> ids = new HashMap<>();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            Map<String, TopicDescription> made =
                    admin.describeTopics(topics()).allTopicNames().get();
            made.forEach(
                    (topic, described) -> ids.put(topic, described.topicId().toString()));
        }
        return ids;
    }

    private static byte @Nullable [] settings(Kept record, Map<String, String> ids, UnaryOperator<String> change)
            throws IOException {
        byte[] value = record.value();
        if (value == null || !new String(record.key(), UTF_8).equals("topics")) {
            return value == null ? null : change.apply(new String(value, UTF_8)).getBytes(UTF_8);
        }
        ObjectNode known = (ObjectNode) JSON.readTree(value);
        ObjectNode topics = (ObjectNode) known.get("topics");
        topics.fieldNames()
                .forEachRemaining(
                        topic -> ((ArrayNode) topics.get(topic)).removeAll().add(ids.get(topic)));
        return JSON.writeValueAsBytes(known);
    }
}
