package io.neardup.streams;

import io.neardup.document.InputRecord;
import io.neardup.document.Reason;
import io.neardup.document.Rejection;
import io.neardup.streams.input.Seeding;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Brings the documents of seeds to the homes, as many partitions as their topics may have. What came to a topic after
 * the index was made is left out; what the way does not carry is a dead letter.
 */
final class SeedRelay extends ContextualProcessor<byte[], byte[], Routed, byte[]> {
    private final Seeding seeding;
    private final Optional<OutputRecords> outputs;
    private final int homes;
    private final long recordBytesMax;

    /**
     * @param outputs for dead letters; empty where no records are written
     * @param recordBytesMax that the topic on the way carries
     */
    SeedRelay(Seeding seeding, Optional<OutputRecords> outputs, int homes, long recordBytesMax) {
        this.seeding = seeding;
        this.outputs = outputs;
        this.homes = homes;
        this.recordBytesMax = recordBytesMax;
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        InputRecord seed =
                OutputRecords.input(record, context().recordMetadata().orElseThrow());
        if (!seeding.includes(seed.topic(), seed.partition(), seed.offset())) {
            return;
        }
        long bytes = OutputLimits.bytesMax(seed) + SeedRecords.ADDED_BYTES_MAX;
        if (bytes <= recordBytesMax) {
            context().forward(SeedRecords.toHome(record, seed, homes), NodeNames.SEEDS);
        } else {
            String detail = "expected a record of at most " + (recordBytesMax - SeedRecords.ADDED_BYTES_MAX)
                    + " bytes, found " + OutputLimits.bytesMax(seed) + " with key and headers";
            Rejection refused = new Rejection(Reason.TOO_LARGE, detail, null);
            outputs.ifPresent(made -> context()
                    .forward(
                            made.deadLetter(seed, refused, context().currentSystemTimeMs()),
                            NodeNames.DEAD_LETTER_OF_SEEDS));
        }
    }
}
