package io.neardup.streams.topology;

import io.neardup.streams.store.CommitListeners;
import io.neardup.streams.store.GuardedProducer;
import io.neardup.streams.store.ThreadTransaction;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/** Transactions of the calling thread, as a {@link GuardedProducer} has them, without a cluster. */
public final class TestTransactions {
    private TestTransactions() {}

    /** Begins one in which records were sent, up to an offset. */
    public static ThreadTransaction begin(TopicPartition changelog, long lastOffset) {
        ThreadTransaction transaction = ThreadTransaction.begin();
        transaction.note(new RecordMetadata(changelog, lastOffset, 0, 0, 0, 0));
        return transaction;
    }

    /** Ends one well. */
    public static void commit(ThreadTransaction transaction) {
        transaction.markCommitted();
        CommitListeners.after().fire();
    }
}
