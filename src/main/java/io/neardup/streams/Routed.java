package io.neardup.streams;

import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.jspecify.annotations.Nullable;

/**
 * The key of a record that leaves, with the partition it goes to. Where the topic has fewer partitions, it is taken modulo
 * their number: all of one input partition stays together and in order.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Routed(int partition, byte @Nullable [] key) {

    static final StreamPartitioner<Routed, byte[]> PARTITIONER =
            (topic, routed, value, partitions) -> Optional.of(Set.of(routed.partition() % partitions));

    /** Writes the record's own key. */
    static final class KeySerializer implements Serializer<Routed> {
        @Override
        public byte @Nullable [] serialize(String topic, Routed routed) {
            return routed.key();
        }
    }
}
