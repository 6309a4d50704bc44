package io.neardup.streams.store;

import static io.neardup.testing.World.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What reaches the broker before Streams flushes, and what never does. */
class GuardedProducerIT {
    private static final int BIG_BYTES = 900_000;

    @RegisterExtension
    static final SharedBroker BROKER = new SharedBroker();

    private String topic = "";
    private GuardedProducer producer;

    @BeforeEach
    void open(TestInfo test) throws Exception {
        topic = "held-" + test.getTestMethod().orElseThrow().getName();
        Records.createTopic(BROKER.bootstrapServers(), topic, 1);
        Map<String, Object> settings = new HashMap<>(Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                BROKER.bootstrapServers(),
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                topic,
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                5_000,
                ProducerConfig.METADATA_MAX_AGE_CONFIG,
                100));
        producer = new GuardedProducer(settings);
        // The first transaction of a broker takes longer than any later one.
        await().atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(TimeoutException.class)
                .untilAsserted(() -> producer.initTransactions());
    }

    @AfterEach
    void close() {
        producer.close(Duration.ZERO);
    }

    private void send(byte[] value) {
        Future<RecordMetadata> unused = producer.send(new ProducerRecord<>(topic, 0, null, value), null);
    }

    /** Of records, and of the marks of the ends of transactions, whether committed or not. */
    private long written() throws Exception {
        TopicPartition partition = new TopicPartition(topic, 0);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", BROKER.bootstrapServers()))) {
            return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                    .partitionResult(partition)
                    .get()
                    .offset();
        }
    }

    @Test
    void shouldHoldWhatIsSentUntilTheFlush() throws Exception {
        producer.beginTransaction();
        send("document".getBytes(StandardCharsets.UTF_8));
        long beforeFlush = written();
        producer.flush();

        assertThat(beforeFlush).isZero();
        assertThat(written()).isEqualTo(1);
    }

    @Test
    void shouldSendAtOnceWhatIsTooMuchToHold() throws Exception {
        producer.beginTransaction();
        int sent = GuardedProducer.HELD_BYTES_MAX / BIG_BYTES + 1;
        for (int i = 0; i < sent; i++) {
            send(new byte[BIG_BYTES]);
        }

        await("all of it").atMost(PATIENCE).until(() -> written() == sent);
    }

    @Test
    void shouldSendNothingOfAnAbortedTransactionInTheNext() throws Exception {
        producer.beginTransaction();
        send("given up".getBytes(StandardCharsets.UTF_8));
        producer.abortTransaction();
        producer.beginTransaction();
        send("kept".getBytes(StandardCharsets.UTF_8));
        producer.commitTransaction();

        assertThat(Records.readCommitted(BROKER.bootstrapServers(), topic, 1)).containsExactly("kept");
        assertThat(written()).as("the record and the mark of its commit").isEqualTo(2);
    }

    @Test
    void shouldSeeBehindATransactionThatATopicHasGrown() throws Exception {
        assertThat(producer.partitionsFor(topic)).hasSize(1);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", BROKER.bootstrapServers()))) {
            admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(2)))
                    .all()
                    .get();
        }

        await("both partitions").until(() -> {
            producer.beginTransaction();
            producer.commitTransaction();
            return producer.partitionsFor(topic).size() == 2;
        });
    }

    /** What a step has gathered for other topics may begin the transaction behind its call that failed. */
    @Test
    void shouldNotCommitBehindACallThatFailedWhileNoTransactionWasOpen() throws Exception {
        assertThatThrownBy(() -> producer.partitionsFor("no-" + topic)).isInstanceOf(TimeoutException.class);
        producer.beginTransaction();
        send("half a step".getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> producer.commitTransaction()).isInstanceOf(ProducerFencedException.class);
        assertThat(written()).isZero();
    }
}
