package io.neardup.service.cluster;

import io.neardup.record.Verdict;
import io.neardup.record.VerdictCodec;
import java.io.IOException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Reads the verdicts of one partition, one after the other, up to an end. Not thread-safe. */
public final class VerdictReading implements AutoCloseable {
    private final PartitionReading records;

    /** @param records of a topic of verdicts; closed with this */
    public VerdictReading(PartitionReading records) {
        this.records = records;
    }

    /**
     * The next verdict; null at the end.
     *
     * @throws IOException if a record is none, or as {@link PartitionReading#next}
     */
    public @Nullable Verdict next() throws IOException {
        ConsumerRecord<byte[], byte[]> record = records.next();
        return record == null ? null : decode(record);
    }

    private static Verdict decode(ConsumerRecord<byte[], byte[]> record) throws IOException {
        try {
            byte[] value = record.value();
            return VerdictCodec.decode(value == null ? new byte[0] : value);
        } catch (IOException e) {
            throw new IOException(
                    record.topic() + "-" + record.partition() + " offset " + record.offset() + ": " + e.getMessage(),
                    e);
        }
    }

    @Override
    public void close() {
        records.close();
    }
}
