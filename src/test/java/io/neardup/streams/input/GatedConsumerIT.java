package io.neardup.streams.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An input of transactions, deleted up to somewhere: which deletions are losses. */
class GatedConsumerIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @RegisterExtension
    static final SharedBroker BROKER = new SharedBroker();

    private static int topics;

    private final InputGate gate = new InputGate(10, 1_000);
    private boolean maySkip;
    private long unreadable = -1;
    private TopicPartition input;
    private GatedConsumer consumer;

    /**
     * Records at 0, 1 and 2, the marker of their transaction at 3; aborted ones at 4 and 5, their marker at 6; a record
     * at 7.
     */
    @BeforeEach
    void feed() throws Exception {
        String topic = "documents-" + topics++;
        Records.createTopic(BROKER.bootstrapServers(), topic, 1);
        Records.commit(BROKER.bootstrapServers(), topic, List.of("a", "b", "c"));
        Records.abort(BROKER.bootstrapServers(), topic, List.of("x", "y"));
        Records.commit(BROKER.bootstrapServers(), topic, List.of("d"));
        input = new TopicPartition(topic, 0);
        consumer = new GatedConsumer(
                Map.of(
                        "bootstrap.servers", BROKER.bootstrapServers(),
                        "group.id", "reader-of-" + topic,
                        "enable.auto.commit", "false",
                        "auto.offset.reset", "none",
                        "isolation.level", "read_committed"),
                gate,
                Seeding.none(),
                List.of(topic),
                any -> maySkip,
                record -> record.offset() == unreadable);
        consumer.assign(List.of(input));
    }

    @AfterEach
    void close() {
        consumer.close();
    }

    private void groupCommitted(long offset) {
        consumer.commitSync(Map.of(input, new OffsetAndMetadata(offset)));
    }

    private void deleteBefore(long offset) throws Exception {
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", BROKER.bootstrapServers()))) {
            admin.deleteRecords(Map.of(input, RecordsToDelete.beforeOffset(offset)))
                    .all()
                    .get();
        }
    }

    private void coordinatorStartsAt(long offset, boolean held) {
        gate.startAt(input, held ? new InputPosition(offset, offset + 1) : new InputPosition(offset));
    }

    private List<Long> read() {
        List<Long> offsets = new ArrayList<>();
        await("what is there").pollInSameThread().atMost(PATIENCE).until(() -> {
            consumer.poll(Duration.ofMillis(100)).forEach(record -> offsets.add(record.offset()));
            return offsets.contains(7L);
        });
        return offsets;
    }

    @Test
    void shouldGoOnWhereTheCoordinatorSaysThoughTheGroupIsFurther() {
        groupCommitted(7);
        coordinatorStartsAt(1, true);
        assertThat(read()).containsExactly(1L, 2L, 7L);

        groupCommitted(8);
        coordinatorStartsAt(2, false);
        assertThat(read()).containsExactly(2L, 7L);
    }

    /** What is behind it stays too; its position is what Streams commits. */
    @Test
    void shouldKeepARecordBackUntilItCanBeRead() {
        unreadable = 1;
        coordinatorStartsAt(0, true);
        List<Long> offsets = new ArrayList<>();
        await("the record before it").pollInSameThread().atMost(PATIENCE).until(() -> {
            ConsumerRecords<byte[], byte[]> read = consumer.poll(Duration.ofMillis(100));
            read.forEach(record -> offsets.add(record.offset()));
            read.nextOffsets().values().forEach(next -> assertThat(next.offset())
                    .isEqualTo(1));
            return !offsets.isEmpty();
        });
        consumer.poll(Duration.ofMillis(100)).forEach(record -> offsets.add(record.offset()));
        assertThat(offsets).containsExactly(0L);
        assertThat(consumer.position(input)).isEqualTo(1);
        assertThat(consumer.paused()).containsExactly(input);
        assertThat(gate.pauses(input.partition())).as("for too much in flight").isZero();

        unreadable = -1;
        assertThat(read()).containsExactly(1L, 2L, 7L);
    }

    /** What is 1 KB as it is fetched is 1 MB here. */
    @Test
    void shouldReturnSoManyBytesOfAPollThoughTheyWereCompressed() {
        int count = 80;
        try (KafkaProducer<byte[], byte[]> producer =
                Records.bytesTo(BROKER.bootstrapServers(), Map.of("compression.type", "gzip"))) {
            for (int i = 0; i < count; i++) {
                List<Header> headers = List.of(new RecordHeader("h", new byte[i % 2 * 500_000]));
                byte[] value = new byte[500_000 - i % 2 * 500_000];
                var unused =
                        producer.send(new ProducerRecord<>(input.topic(), null, new byte[500_000], value, headers));
            }
        }
        coordinatorStartsAt(9, true);
        List<Long> offsets = new ArrayList<>();
        await("all of them").pollInSameThread().atMost(PATIENCE).until(() -> {
            ConsumerRecords<byte[], byte[]> read = consumer.poll(Duration.ofMillis(100));
            assertThat(read.count()).isLessThanOrEqualTo(34);
            read.forEach(record -> offsets.add(record.offset()));
            read.nextOffsets().values().forEach(next -> assertThat(next.offset())
                    .isEqualTo(offsets.get(offsets.size() - 1) + 1));
            return offsets.size() == count;
        });
        assertThat(offsets).isEqualTo(LongStream.range(9, 9 + count).boxed().toList());
    }

    @Test
    void shouldGoOnWithoutWhatWasDeletedOnRequest() throws Exception {
        maySkip = true;
        groupCommitted(4);
        deleteBefore(3);
        coordinatorStartsAt(1, true);
        assertThat(gate.deletedBefore(input)).isZero();
        assertThat(read()).containsExactly(7L);
        assertThat(gate.deletedBefore(input)).isEqualTo(3);
    }

    /** After an election of a leader that had less, other records are written where the lost ones were. */
    @Test
    void shouldGoOnFromWhereTheInputWasCutOffThoughItIsLongerAgain() {
        LogTruncationException truncated =
                new LogTruncationException(Map.of(input, 6L), Map.of(input, new OffsetAndMetadata(2)));
        assertThatThrownBy(() -> consumer.seekWhereRecordsAre(truncated))
                .isInstanceOf(InputDeletedException.class)
                .hasMessageContaining("expected to go on from offset 6, found it cut off at 2");

        maySkip = true;
        consumer.seekWhereRecordsAre(truncated);

        assertThat(read()).containsExactly(2L, 7L);
    }

    /** A marker of a transaction, or records of one that was aborted. */
    @ParameterizedTest
    @CsvSource({"4, 4", "7, 6"})
    void shouldNotMissWhatIsNoRecordForIt(long committed, long deleted) throws Exception {
        groupCommitted(committed);
        deleteBefore(deleted);
        coordinatorStartsAt(3, false);
        assertThat(read()).containsExactly(7L);
    }

    /** What is held; more than the group has read; anything, where the broker has forgotten the group meanwhile. */
    @ParameterizedTest
    @CsvSource({"4, 3, 2, true, 2", "4, 7, 3, false, 4", ", 7, 3, false, 3"})
    void shouldStopWhereWhatItNeedsWasDeleted(
            @Nullable Long committed, long deleted, long start, boolean isHeld, long expected) throws Exception {
        if (committed != null) {
            groupCommitted(committed);
        }
        deleteBefore(deleted);
        coordinatorStartsAt(start, isHeld);
        assertThatThrownBy(this::read)
                .isInstanceOf(InputDeletedException.class)
                .hasMessageContaining("input " + input + ": expected to go on from offset " + expected + ", found "
                        + deleted + " as the first");
    }
}
