package io.neardup.tools.feed;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** How producers are set up that send many documents and wait for none. */
public final class BulkProducer {
    /** What a client holds of them. */
    public static final int BUFFER_BYTES = 32 << 20;

    /** To end a transaction that is not to be committed. A producer that was shut out would wait for longer. */
    static final Duration CLOSING = Duration.ofSeconds(5);

    private BulkProducer() {}

    /** What they have in common: large batches, packed. */
    public static Map<String, Object> settings() {
        return Map.of(
                ProducerConfig.COMPRESSION_TYPE_CONFIG,
                "lz4",
                ProducerConfig.LINGER_MS_CONFIG,
                20,
                ProducerConfig.BATCH_SIZE_CONFIG,
                256 << 10);
    }

    /**
     * One that writes in transactions. An earlier one of the same id is shut out, and what it left open is ended: so
     * who reads positions after this finds the last. To be closed within {@link #CLOSING}.
     *
     * @param clients what a client needs to reach the cluster
     */
    static KafkaProducer<byte[], byte[]> transactional(Map<String, Object> clients, String transactionalId) {
        Map<String, Object> settings = new HashMap<>(clients);
        settings.putAll(settings());
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, BUFFER_BYTES);
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, (long) BUFFER_BYTES);
        KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        try {
            producer.initTransactions();
            return producer;
        } catch (KafkaException e) {
            producer.close(CLOSING);
            throw e;
        }
    }
}
