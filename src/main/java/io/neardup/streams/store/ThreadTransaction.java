package io.neardup.streams.store;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * A transaction of a stream thread: all that its tasks write between two commits. Each thread has at most one at a
 * time. Others may ask how it ended, and where in the changelogs of stores its last records are.
 */
public final class ThreadTransaction {
    private static final ThreadLocal<ThreadTransaction> OF_THREAD = new ThreadLocal<>();

    /** What Kafka Streams ends the names of changelogs with. */
    private static final String CHANGELOG = "-changelog";

    private final Map<TopicPartition, Long> lastOffsets = new ConcurrentHashMap<>();
    private volatile boolean committed;

    private ThreadTransaction() {}

    public static ThreadTransaction begin() {
        ThreadTransaction begun = new ThreadTransaction();
        OF_THREAD.set(begun);
        return begun;
    }

    /** The one that the calling thread began last; none where no {@link GuardedProducer} did. */
    public static Optional<ThreadTransaction> last() {
        return Optional.ofNullable(OF_THREAD.get());
    }

    /** One that never ends well: what is held against it counts as not committed. */
    public static ThreadTransaction neverCommitted() {
        return new ThreadTransaction();
    }

    /** Notes a record that the cluster has taken; of changelogs only, as nobody asks for others. */
    public void note(RecordMetadata record) {
        if (record.hasOffset() && record.topic().endsWith(CHANGELOG)) {
            lastOffsets.merge(new TopicPartition(record.topic(), record.partition()), record.offset(), Math::max);
        }
    }

    /** The offset of its last record in a partition of a changelog; whole once it is committed. */
    public OptionalLong lastOffset(TopicPartition changelog) {
        Long offset = lastOffsets.get(changelog);
        return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
    }

    public void markCommitted() {
        committed = true;
    }

    /** Whether it is known to be committed: not while it is open, and never where it was aborted. */
    public boolean isCommitted() {
        return committed;
    }
}
