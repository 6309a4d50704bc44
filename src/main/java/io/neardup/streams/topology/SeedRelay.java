package io.neardup.streams.topology;

import io.neardup.record.InputRecord;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.store.NodeNames;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Brings the documents of seeds to the coordinators, as many partitions as their topics may have. What came to a topic
 * after the index was made is skipped. What the way does not carry arrives without its value.
 */
final class SeedRelay extends ContextualProcessor<byte[], byte[], Routed, byte[]> {
    private final Seeding seeding;
    private final long recordBytesMax;

    /** @param recordBytesMax that the topic on the way carries */
    SeedRelay(Seeding seeding, long recordBytesMax) {
        this.seeding = seeding;
        this.recordBytesMax = recordBytesMax;
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        InputRecord seed =
                OutputRecords.input(record, context().recordMetadata().orElseThrow());
        if (seeding.includes(seed.topic(), seed.partition(), seed.offset())) {
            context()
                    .forward(
                            SeedRecords.toCoordinator(record, seed, seeding.coordinators(), recordBytesMax),
                            NodeNames.SEEDS);
        }
    }
}
