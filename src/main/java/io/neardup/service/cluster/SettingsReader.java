package io.neardup.service.cluster;

import io.neardup.streams.store.TopicNames;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads what coordinators and commands note in the settings topic of an index, each time on from where it was. Who asks
 * does so for all who listen.
 */
public final class SettingsReader {
    private static final int STALLED_SECONDS = 30;

    private final TopicAdmin admin;
    private final CommittedRecords records;
    private final TopicPartition partition;
    private final List<Consumer<ConsumerRecord<byte[], byte[]>>> listeners = new CopyOnWriteArrayList<>();
    private long position;

    /**
     * A reader that has read nothing.
     *
     * @param names of the index, whose topic must be there
     * @param clients what a client needs to reach the cluster
     */
    public SettingsReader(TopicAdmin admin, TopicNames names, Map<String, Object> clients) {
        this.admin = admin;
        this.records = new CommittedRecords(clients, STALLED_SECONDS);
        this.partition = new TopicPartition(names.settings(), 0);
    }

    /**
     * To be called before the first record is read.
     *
     * @param listener gets each record, in order, and once if it does not throw
     */
    public void listen(Consumer<ConsumerRecord<byte[], byte[]>> listener) {
        listeners.add(listener);
    }

    /**
     * Reads what is committed by now. A record that a listener fails at is read again the next time.
     *
     * @throws StartupException if it cannot be read in time
     */
    public synchronized void catchUp() {
        long end =
                Objects.requireNonNull(admin.committedEnds(List.of(partition)).get(partition), partition.topic());
        if (end > position) {
            records.read(Map.of(partition, position), Map.of(partition, end), this::take);
            position = Math.max(position, end);
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        listeners.forEach(listener -> listener.accept(record));
        position = record.offset() + 1;
    }
}
