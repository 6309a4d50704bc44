package io.neardup.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * The key of a record that leaves, with the partition it goes to. Where the topic has fewer partitions, it is taken
 * modulo their number: all of one input partition stays together and in order.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Routed(int partition, byte @Nullable [] key) {

    static final int ALL = -1;

    /** The partition that Kafka's own producers choose for the key. */
    static Routed byKey(byte[] key) {
        return new Routed(Utils.toPositive(Utils.murmur2(key)), key);
    }

    /** A record that goes there; without a value a tombstone. */
    @SuppressWarnings("NullAway") // Kafka has no annotations of its own.
    Record<Routed, byte[]> record(byte @Nullable [] value, long timestamp, Headers headers) {
        return new Record<>(this, value, timestamp, headers);
    }

    /** What is noted in the settings topic. */
    static Record<Routed, byte[]> note(String key, byte[] value, long nowMillis) {
        return new Record<>(new Routed(0, key.getBytes(UTF_8)), value, nowMillis);
    }

    static final StreamPartitioner<Routed, byte[]> PARTITIONER =
            (topic, routed, value, partitions) -> Optional.of(routed.partitions(partitions));

    private Set<Integer> partitions(int ofTopic) {
        return partition == ALL
                ? IntStream.range(0, ofTopic).boxed().collect(Collectors.toSet())
                : Set.of(partition % ofTopic);
    }

    static final Serializer<Routed> KEY_SERIALIZER = (topic, routed) -> routed.key();
}
