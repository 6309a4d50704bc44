package io.neardup.upgrade;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.testing.Feeder;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.KeptIndex;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.OwnThread;
import io.neardup.testing.Promises;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * An index that release 0.1 has made, under this build. With {@code -Dupgrade.from=...}, the jar of that release, the
 * instances that are stopped one by one are of it; else they are of this build, too.
 */
class UpgradeIT {
    private static final String RELEASE = "0.1.0";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int DOCUMENTS = 2_500;
    /** Fed when none of the instances before the upgrade runs. */
    private static final int LAST = 500;

    private static final int BATCH = 20;
    private static final int BATCH_MILLIS = 150;
    /** Those that both releases write in the layout of the one before. */
    private static final byte LAYOUT = 6;

    @RegisterExtension
    private static final SharedBroker BROKER = new SharedBroker();

    @TempDir
    private Path folder;

    @AfterEach
    void deleteTopics() throws Exception {
        BROKER.deleteTopics();
    }

    private static List<String> settings() {
        return List.of(
                "bootstrap.servers=" + BROKER.bootstrapServers(),
                "application.id=" + KeptIndex.APPLICATION,
                "neardup.bands.partitions=2",
                "neardup.retention=3650d",
                "neardup.retention.refresh=true");
    }

    private InstanceProcess start(String name) throws IOException {
        return InstanceProcess.start(folder.resolve(name), settings());
    }

    private InstanceProcess startEarlier(String name) throws IOException {
        String jar = System.getProperty("upgrade.from");
        return jar == null ? start(name) : InstanceProcess.startJar(Path.of(jar), folder.resolve(name), settings());
    }

    private static CompletableFuture<Void> feed(List<News> news) {
        return CompletableFuture.runAsync(
                () -> {
                    try (Feeder feeder = new Feeder(BROKER.bootstrapServers(), "documents", KeptIndex.PARTITIONS)) {
                        for (int from = 0; from < news.size(); from += BATCH) {
                            feeder.feed(news.subList(from, Math.min(news.size(), from + BATCH)));
                            TimeUnit.MILLISECONDS.sleep(BATCH_MILLIS);
                        }
                    } catch (ExecutionException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                OwnThread.named("feed"));
    }

    @Test
    void shouldGoOnWithAnIndexOfTheReleaseBeforeInARollingUpgrade() throws Exception {
        KeptIndex kept = KeptIndex.of(RELEASE);
        kept.load(BROKER.bootstrapServers());
        List<News> news = KeptIndex.news(DOCUMENTS);
        try (Outputs outputs = new Outputs(BROKER.bootstrapServers());
                InstanceProcess earlier = startEarlier("one");
                InstanceProcess other = startEarlier("two")) {
            CompletableFuture<Void> feeding = feed(news.subList(kept.documents(), DOCUMENTS - LAST));
            outputs.await(kept.documents() + 200, PATIENCE);
            earlier.stop();
            try (InstanceProcess one = start("one")) {
                outputs.await(outputs.size() + 500, PATIENCE);
                other.stop();
                try (InstanceProcess two = start("two")) {
                    feeding.join();
                    feed(news.subList(DOCUMENTS - LAST, DOCUMENTS)).join();
                    outputs.await(DOCUMENTS, PATIENCE);
                    assertThat(one.isAlive() && two.isAlive()).isTrue();
                    new Promises(news, outputs).check(KeptIndex.PARTITIONS);
                    shouldReachAnOriginalOfTheReleaseBeforeByItsKey(news.get(0), outputs);
                }
            }
        }
        shouldHaveKeptTheLayout(kept.own("originals-changelog").size());
    }

    private static void shouldReachAnOriginalOfTheReleaseBeforeByItsKey(News original, Outputs outputs)
            throws Exception {
        assertThat(keys(outputs, Outputs.UNIQUE)).contains(original.id());
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", BROKER.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            // Of the partition that the original came on.
            send(producer, "before", original.json());
            outputs.await(DOCUMENTS + 1, PATIENCE);
            send(producer, original.id(), null);
            send(producer, "after", original.json());
        }
        outputs.await(DOCUMENTS + 3, PATIENCE);
        assertThat(keys(outputs, Outputs.DUPLICATE_OF)).contains("before");
        assertThat(keys(outputs, Outputs.UNIQUE)).contains("after");
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, String key, byte @Nullable [] value)
            throws Exception {
        producer.send(new ProducerRecord<>("documents", 0, key.getBytes(UTF_8), value))
                .get();
    }

    private static List<String> keys(Outputs outputs, String topic) {
        return outputs.of(topic).stream()
                .map(record -> new String(record.key(), UTF_8))
                .toList();
    }

    private static void shouldHaveKeptTheLayout(int before) {
        List<ConsumerRecord<byte[], byte[]>> changelog = read(KeptIndex.APPLICATION + "-originals-changelog");
        assertThat(changelog).hasSizeGreaterThan(before + DOCUMENTS / 2);
        assertThat(changelog)
                .filteredOn(record -> record.value() != null)
                .allSatisfy(record -> assertThat(record.value()[0]).isEqualTo(LAYOUT));
    }

    private static List<ConsumerRecord<byte[], byte[]>> read(String topic) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = Records.committed(BROKER.bootstrapServers())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .toList();
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            await(topic).atMost(PATIENCE).pollInSameThread().until(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
                return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
            });
        }
        return records;
    }

    /** Of each topic, how far it is written. */
    private static Map<TopicPartition, Long> ends() throws Exception {
        Map<TopicPartition, Long> ends = new HashMap<>();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", BROKER.bootstrapServers()));
                KafkaConsumer<byte[], byte[]> consumer = Records.committed(BROKER.bootstrapServers())) {
            for (String topic : admin.listTopics().names().get()) {
                consumer.partitionsFor(topic)
                        .forEach(info ->
                                ends.putAll(consumer.endOffsets(List.of(new TopicPartition(topic, info.partition())))));
            }
        }
        return ends;
    }

    @Test
    void shouldRefuseAnIndexWhoseLayoutsItDoesNotReadInOneLineAndLeaveItAsItIs() throws Exception {
        KeptIndex.of(RELEASE)
                .load(
                        BROKER.bootstrapServers(),
                        settings -> settings.replace("\"layout.state\":\"6\"", "\"layout.state\":\"5\""));
        Map<TopicPartition, Long> before = ends();

        try (InstanceProcess refused = start("refused")) {
            assertThat(refused.awaitEnd(PATIENCE)).isEqualTo(1);
            assertThat(refused.log().lines().filter(line -> line.contains("kept was made by release 0.1.0")))
                    .singleElement()
                    .asString()
                    .contains(
                            "layout.state: the index was made with 5, this release reads [6, 7]",
                            "run that release, or make a new index of what it has released, under another"
                                    + " application.id with neardup.seed.topics=unique");
        }
        assertThat(ends()).isEqualTo(before);
    }
}
