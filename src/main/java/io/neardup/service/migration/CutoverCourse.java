package io.neardup.service.migration;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.service.cluster.StartupException;
import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.MigrationEvent;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** How far an index is with handing its input over, by the records of its settings topic that were read so far. */
public final class CutoverCourse implements Consumer<ConsumerRecord<byte[], byte[]>> {
    private volatile Cutover now = Cutover.NONE;

    Cutover now() {
        return now;
    }

    /** The next record of the topic, an event of the migration or not. */
    @Override
    public void accept(ConsumerRecord<byte[], byte[]> record) {
        String key = new String(record.key(), UTF_8);
        if (MigrationEvent.isEvent(key)) {
            try {
                now = now.with(MigrationEvent.decode(key, record.value()), record.timestamp());
            } catch (IllegalArgumentException e) {
                throw new StartupException(List.of("topic " + record.topic() + ", offset " + record.offset() + ": "
                        + e.getMessage() + "; run the release that wrote it"));
            }
        }
    }
}
