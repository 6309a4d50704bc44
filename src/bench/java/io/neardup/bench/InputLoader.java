package io.neardup.bench;

import io.neardup.tools.feed.Progress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes documents to an input topic, one by one over its partitions. All documents of a call become visible
 * to readers of committed records at once, at its end. A service that runs already takes none of them before.
 */
final class InputLoader implements AutoCloseable {
    /** So many are made side by side, and then sent in their order. */
    private static final int CHUNK = 2_000;

    private static final int LINGER_MILLIS = 20;
    /** The most that a broker allows by default. */
    private static final int TRANSACTION_MILLIS = 900_000;

    private final BenchDocuments documents;
    private final Progress progress;
    private final KafkaProducer<byte[], byte[]> producer;

    InputLoader(String servers, BenchDocuments documents, Progress progress) {
        this.documents = documents;
        this.progress = progress;
        Map<String, Object> settings = new HashMap<>(settings(servers, LINGER_MILLIS));
        settings.put("transactional.id", "bench-loader");
        settings.put("transaction.timeout.ms", TRANSACTION_MILLIS);
        this.producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        producer.initTransactions();
    }

    static Map<String, Object> settings(String servers, int lingerMillis) {
        return Map.of(
                "bootstrap.servers",
                servers,
                "compression.type",
                "lz4",
                "linger.ms",
                lingerMillis,
                "batch.size",
                256 << 10);
    }

    /** Returns when the documents of these numbers are all in the topic. */
    void load(String topic, int partitions, long from, long to) {
        try {
            producer.beginTransaction();
            for (long start = from; start < to; start += CHUNK) {
                send(topic, partitions, start, Math.min(to, start + CHUNK));
                progress.update(String.format(Locale.ROOT, "%,d of %,d documents loaded", start - from, to - from));
            }
            producer.commitTransaction();
        } catch (KafkaException e) {
            throw new BenchException("cannot write to the topic " + topic + ": " + e.getMessage(), e);
        }
    }

    /** A record that cannot be sent fails the commit. */
    private void send(String topic, int partitions, long from, long to) {
        documents.many(from, to).parallelStream()
                .map(document -> new ProducerRecord<>(
                        topic, (int) (document.number() % partitions), document.key(), document.json()))
                .toList()
                .forEach(document -> {
                    Future<?> unused = producer.send(document);
                });
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
