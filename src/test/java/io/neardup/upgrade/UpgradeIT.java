package io.neardup.upgrade;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.testing.InstanceProcess;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** An index that a release before 0.3 has made is refused, and left as it is. */
class UpgradeIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** What 0.2.1 writes into the settings topic of a new index of the default settings. */
    private static final String MADE_BY_0_2 = "{\"format\":1,\"index\":\"9c6d8a0e-6a3f-4b0c-9d5a-0a3a6b0b9a57\","
            + "\"settings\":{\"band-keys.version\":\"1\",\"input.partitions\":\"2\",\"layout.band-log\":\"2\","
            + "\"layout.messages\":\"11\",\"layout.progress\":\"1\",\"layout.state\":\"7\",\"neardup.bands\":\"26\","
            + "\"neardup.bands.partitions\":\"2\",\"neardup.rows\":\"5\",\"neardup.shingle\":\"char:9\"},"
            + "\"hashSeed\":1,\"release\":\"0.2.1\"}";

    private static final List<String> OF_TWO_PARTITIONS = List.of(
            "kept-lookups",
            "kept-replies",
            "kept-progress-changelog",
            "kept-originals-changelog",
            "kept-buckets-changelog");

    @RegisterExtension
    private static final SharedBroker BROKER = new SharedBroker();

    @TempDir
    private Path folder;

    @Test
    void shouldRefuseAnIndexOfAnEarlierReleaseInOneLineAndLeaveItAsItIs() throws Exception {
        Records.createTopics(BROKER.bootstrapServers(), Outputs.WITH_INPUT, 2);
        Records.createTopics(BROKER.bootstrapServers(), OF_TWO_PARTITIONS, 2);
        Records.createTopics(BROKER.bootstrapServers(), List.of("kept-checks", "kept-settings"), 1);
        writeSettings();
        Map<TopicPartition, Long> before = ends();

        try (InstanceProcess refused = InstanceProcess.start(
                folder,
                List.of(
                        "bootstrap.servers=" + BROKER.bootstrapServers(),
                        "application.id=kept",
                        "neardup.bands.partitions=2"))) {
            assertThat(refused.awaitEnd(PATIENCE)).isEqualTo(1);
            assertThat(refused.log().lines().filter(line -> line.contains("kept was made by release 0.2.1")))
                    .singleElement()
                    .asString()
                    .contains(
                            "layout.band-log: the index was made with 2, this release reads 3",
                            "layout.messages: the index was made with 11, this release reads 13",
                            "layout.progress: the index was made with 1, this release reads nothing",
                            "layout.state: the index was made with 7, this release reads 8",
                            "run that release, or make a new index of what it has released, under another"
                                    + " application.id with neardup.seed.topics=unique");
        }
        assertThat(ends()).isEqualTo(before);
    }

    private static void writeSettings() throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = Records.bytesTo(BROKER.bootstrapServers(), Map.of())) {
            byte[] key = "9c6d8a0e-6a3f-4b0c-9d5a-0a3a6b0b9a57".getBytes(UTF_8);
            producer.send(new ProducerRecord<>("kept-settings", key, MADE_BY_0_2.getBytes(UTF_8)))
                    .get();
        }
    }

    /** Of each topic that is there, how far it is written. */
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
}
