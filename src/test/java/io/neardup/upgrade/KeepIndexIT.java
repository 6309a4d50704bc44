package io.neardup.upgrade;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.KeptIndex;
import io.neardup.testing.KeptIndex.Field;
import io.neardup.testing.KeptIndex.Kept;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Keeps the bytes of a release, once: {@code -Dkeep.jar=...} is its jar, {@code -Dkeep.release=...} its number. */
@EnabledIfSystemProperty(named = "keep.jar", matches = ".+")
class KeepIndexIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int BEFORE_THE_STOP = 60;
    private static final int DOCUMENTS = 100;

    @RegisterExtension
    private static final SharedBroker BROKER = new SharedBroker();

    @TempDir
    private Path folder;

    private final Path kept = KeptIndex.folder(System.getProperty("keep.release", "none"));

    private InstanceProcess start() throws IOException {
        return InstanceProcess.startJar(
                Path.of(System.getProperty("keep.jar")),
                folder,
                List.of(
                        "bootstrap.servers=" + BROKER.bootstrapServers(),
                        "application.id=" + KeptIndex.APPLICATION,
                        "neardup.bands.partitions=2",
                        "neardup.retention=3650d",
                        "neardup.retention.refresh=true",
                        "neardup.hash.seed=1"));
    }

    /** Without transactions: each record takes one offset. */
    private static void feed(int from, int to) throws Exception {
        List<News> news = KeptIndex.news(DOCUMENTS);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", BROKER.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = from; i < to; i++) {
                News one = news.get(i);
                producer.send(new ProducerRecord<>(
                                "documents",
                                i % KeptIndex.PARTITIONS,
                                one.timestamp(),
                                one.id().getBytes(UTF_8),
                                one.json(),
                                one.headers()))
                        .get();
            }
        }
    }

    @Test
    void shouldKeepTheBytesOfARelease() throws Exception {
        Records.createTopics(BROKER.bootstrapServers(), Outputs.WITH_INPUT, KeptIndex.PARTITIONS);
        Files.createDirectories(kept);
        try (InstanceProcess stopped = start();
                Outputs outputs = new Outputs(BROKER.bootstrapServers())) {
            feed(0, BEFORE_THE_STOP);
            outputs.await(BEFORE_THE_STOP, PATIENCE);
            assertThat(stopped.stop()).isBetween(0, 143);
            keepLocalState();
        }
        try (InstanceProcess killed = start();
                Outputs outputs = new Outputs(BROKER.bootstrapServers())) {
            feed(BEFORE_THE_STOP, DOCUMENTS);
            outputs.await(BEFORE_THE_STOP + 10, PATIENCE);
            killed.killHard();
        }
        keepTopics();
    }

    private void keepLocalState() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("state"))) {
            List<Path> all = files.filter(Files::isRegularFile).toList();
            Path snapshot = all.stream()
                    .filter(file -> file.endsWith("1_0/buckets.snapshot"))
                    .findFirst()
                    .orElseThrow();
            try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(kept.resolve("buckets.snapshot.gz")))) {
                Files.copy(snapshot, out);
            }
            try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(kept.resolve("originals.zip")))) {
                for (Path file : all) {
                    String name = file.getFileName().toString();
                    if (file.resolveSibling("").endsWith("originals/0_0") && !name.startsWith("LOG")) {
                        zip.putNextEntry(new ZipEntry(name));
                        Files.copy(file, zip);
                    }
                }
            }
        }
    }

    private void keepTopics() throws Exception {
        int underWay = 0;
        ObjectMapper json = new ObjectMapper();
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(kept.resolve("topics.jsonl.gz")));
                Admin admin = Admin.create(Map.of("bootstrap.servers", BROKER.bootstrapServers()));
                KafkaConsumer<byte[], byte[]> consumer = Records.committed(BROKER.bootstrapServers())) {
            Map<TopicPartition, OffsetAndMetadata> read = admin.listConsumerGroupOffsets(KeptIndex.APPLICATION)
                    .partitionsToOffsetAndMetadata()
                    .get();
            for (TopicPartition partition : partitions(consumer)) {
                boolean messages = partition.topic().matches(".*-(lookups|replies)");
                OffsetAndMetadata position = read.get(partition);
                List<Kept> records =
                        read(admin, consumer, partition, messages && position != null ? position.offset() : 0);
                underWay += messages ? records.size() : 0;
                for (Kept record : records) {
                    out.write(json.writeValueAsBytes(record));
                    out.write('\n');
                }
            }
        }
        assertThat(underWay).as("messages under way, else once more").isPositive();
    }

    private static List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer) {
        return KeptIndex.topics().stream()
                .flatMap(topic -> consumer.partitionsFor(topic).stream())
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
    }

    private static List<Kept> read(
            Admin admin, KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, long from) throws Exception {
        await("what is open is given up")
                .atMost(PATIENCE)
                .until(() -> end(admin, partition, IsolationLevel.READ_COMMITTED)
                        == end(admin, partition, IsolationLevel.READ_UNCOMMITTED));
        long end = end(admin, partition, IsolationLevel.READ_COMMITTED);
        consumer.assign(List.of(partition));
        consumer.seek(partition, from);
        List<Kept> records = new ArrayList<>();
        while (consumer.position(partition) < end) {
            consumer.poll(Duration.ofMillis(200)).forEach(record -> {
                List<Field> headers = new ArrayList<>();
                record.headers().forEach(header -> headers.add(new Field(header.key(), header.value())));
                records.add(new Kept(
                        record.topic(),
                        record.partition(),
                        record.offset(),
                        record.timestamp(),
                        record.key(),
                        record.value(),
                        headers));
            });
        }
        return records;
    }

    private static long end(Admin admin, TopicPartition partition, IsolationLevel isolation) throws Exception {
        return Objects.requireNonNull(
                        admin.listOffsets(Map.of(partition, OffsetSpec.latest()), new ListOffsetsOptions(isolation))
                                .all()
                                .get()
                                .get(partition))
                .offset();
    }
}
