package io.neardup.tools.local;

import io.neardup.tools.feed.BulkProducer;
import io.neardup.tools.feed.Feed;
import io.neardup.tools.feed.FeedRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends a feed's lines to the input topic, one by one over its partitions, on a thread of its own; a full buffer of the
 * client makes it wait. A record's value is the line, its key the line's place.
 */
final class FeedPublisher implements AutoCloseable {
    private final Feed feed;
    private final LocalResults results;
    private final CompletableFuture<Void> outcome;
    private final String topic;
    private final int partitions;
    private final int lineBytesMax;
    private final KafkaProducer<byte[], byte[]> producer;
    private volatile boolean stopped;

    /**
     * Starts publishing.
     *
     * @param outcome completed with what goes wrong
     */
    FeedPublisher(Feed feed, LocalResults results, CompletableFuture<Void> outcome, String servers, Target target) {
        this.feed = feed;
        this.results = results;
        this.outcome = outcome;
        this.topic = target.topic;
        this.partitions = target.partitions;
        this.lineBytesMax = target.lineBytesMax;
        this.producer =
                new KafkaProducer<>(settings(servers, target), new ByteArraySerializer(), new ByteArraySerializer());
        // Reading the standard input cannot be interrupted; a daemon does not keep the process alive.
        Thread thread = new Thread(this::run, "neardup-feed");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Where the lines go.
     *
     * @param lineBytesMax longer lines are not sent
     * @param recordBytesMax that the topic takes
     */
    record Target(String topic, int partitions, int lineBytesMax, int recordBytesMax) {}

    static Map<String, Object> settings(String servers, Target target) {
        Map<String, Object> settings = new HashMap<>(BulkProducer.settings());
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, target.recordBytesMax);
        settings.put(
                ProducerConfig.BUFFER_MEMORY_CONFIG, Math.max(BulkProducer.BUFFER_BYTES, 2L * target.recordBytesMax));
        // The service may be slower than the feed for as long as it takes.
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, Integer.MAX_VALUE);
        return settings;
    }

    private void run() {
        try (feed) {
            long count = 0;
            for (FeedRecord line = feed.next(); line != null && !stopped; line = feed.next()) {
                if (line.isOversized()) {
                    results.oversized(line, lineBytesMax);
                } else {
                    publish(line, (int) (count % partitions));
                }
                count++;
            }
            producer.flush();
            results.feedEnded(feed.passedOver());
        } catch (IOException | KafkaException e) {
            outcome.completeExceptionally(e);
        } catch (UncheckedIOException e) {
            outcome.completeExceptionally(e.getCause());
        }
    }

    private void publish(FeedRecord line, int partition) {
        results.published();
        Future<?> unused = producer.send(
                new ProducerRecord<>(topic, partition, line.key(), line.bytes()), (sent, failure) -> fail(failure));
    }

    private void fail(@Nullable Exception failure) {
        if (failure != null) {
            outcome.completeExceptionally(failure);
        }
    }

    /** Sends nothing more; what the client still holds is dropped. */
    @Override
    public void close() {
        stopped = true;
        producer.close(Duration.ZERO);
    }
}
