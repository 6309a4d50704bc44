package io.neardup.bench;

import io.neardup.bench.Bench.Input;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Sends documents at a steady rate on a thread of its own. The timestamp of each is the moment at which it was due. */
final class PacedSender implements AutoCloseable {
    private static final int LINGER_MILLIS = 5;
    private static final long JOIN_MILLIS = 10_000;
    /** So much of the documents goes before what is measured. */
    private static final double SETTLING = 0.3;

    private final Input input;
    private final List<GeneratedDocument> documents;
    private final List<byte[]> values;
    private final double rate;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Thread thread;
    private final long startMillis;
    private final long startNanos;
    private volatile boolean stopped;
    private volatile @Nullable Exception failure;

    /**
     * Starts sending.
     *
     * @param rate documents per second
     */
    PacedSender(String servers, Input input, List<GeneratedDocument> documents, double rate) {
        this.input = input;
        this.rate = rate;
        this.documents = documents;
        this.values = documents.stream().map(GeneratedDocument::json).toList();
        this.producer = new KafkaProducer<>(
                InputLoader.settings(servers, LINGER_MILLIS), new ByteArraySerializer(), new ByteArraySerializer());
        // So that the topic is known to the client when the clock starts.
        producer.partitionsFor(input.topic());
        this.startMillis = System.currentTimeMillis();
        this.startNanos = System.nanoTime();
        this.thread = new Thread(this::run, "neardup-bench-sender");
        thread.setDaemon(true);
        thread.start();
    }

    /** When documents are due that count, in milliseconds since the epoch. */
    long settledMillis() {
        return dueMillis((int) (SETTLING * documents.size()));
    }

    /** @throws BenchException if a document could not be sent */
    void check() {
        Exception failed = failure;
        if (failed != null) {
            throw new BenchException("cannot write to the topic " + input.topic() + ": " + failed.getMessage(), failed);
        }
    }

    /** When the first document is due, in milliseconds since the epoch. */
    long startMillis() {
        return startMillis;
    }

    /** When the last document is due, in milliseconds since the epoch. */
    long endMillis() {
        return dueMillis(documents.size());
    }

    private long dueMillis(int document) {
        return startMillis + (long) (1e3 * document / rate);
    }

    private void run() {
        try {
            for (int i = 0; i < documents.size() && !stopped; i++) {
                awaitDue(i);
                send(i);
            }
        } catch (KafkaException e) {
            failure = e;
        } catch (InterruptedException e) {
            // Closed.
        }
    }

    private void awaitDue(int document) throws InterruptedException {
        long dueNanos = startNanos + (long) (1e9 * document / rate);
        // Not document by document at high rates: a sleep takes a tenth of a millisecond at least.
        while (dueNanos - System.nanoTime() > TimeUnit.MILLISECONDS.toNanos(1)) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private void send(int i) {
        GeneratedDocument document = documents.get(i);
        Future<?> unused = producer.send(
                new ProducerRecord<>(
                        input.topic(),
                        (int) (document.number() % input.partitions()),
                        dueMillis(i),
                        document.key(),
                        values.get(i)),
                (sent, failed) -> failure = failed == null ? failure : failed);
    }

    @Override
    public void close() {
        stopped = true;
        thread.interrupt();
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.close(Duration.ZERO);
    }
}
