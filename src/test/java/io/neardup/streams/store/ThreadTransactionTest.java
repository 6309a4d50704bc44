package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.testing.OwnThread;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class ThreadTransactionTest {
    private static final TopicPartition CHANGELOG = new TopicPartition("a-changelog", 1);

    private static RecordMetadata record(String topic, int partition, long offset) {
        return new RecordMetadata(new TopicPartition(topic, partition), offset, 0, 0, 0, 0);
    }

    /** A transaction stays with its thread: stores of later tests would wait for its commit. */
    @Test
    void shouldTellTheLastOffsetOfEachPartitionOfAChangelog() {
        CompletableFuture.runAsync(this::tellTheLastOffsets, OwnThread.named("transaction"))
                .join();
    }

    private void tellTheLastOffsets() {
        ThreadTransaction transaction = ThreadTransaction.begin();
        assertThat(transaction.lastOffset(CHANGELOG)).isEmpty();
        transaction.note(record("a-changelog", 1, -1));
        assertThat(transaction.lastOffset(CHANGELOG))
                .as("the broker tells none")
                .isEmpty();
        transaction.note(record("a-changelog", 1, 7));
        transaction.note(record("a-changelog", 1, 9));
        transaction.note(record("a-changelog", 2, 30));
        transaction.note(record("unique", 1, 100));
        assertThat(transaction.lastOffset(CHANGELOG)).hasValue(9);
        assertThat(transaction.lastOffset(new TopicPartition("a-changelog", 2))).hasValue(30);
        assertThat(transaction.lastOffset(new TopicPartition("unique", 1))).isEmpty();
        assertThat(ThreadTransaction.begin().lastOffset(CHANGELOG)).isEmpty();
    }
}
