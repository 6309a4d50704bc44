package io.neardup.tools.local;

import io.neardup.tools.feed.BulkProducer;
import io.neardup.tools.feed.Feed;
import io.neardup.tools.feed.FeedRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends a feed's lines to a topic, one by one over its partitions; a full buffer of the client makes it wait. A
 * record's value is the line, its key the line's place. May be closed by another thread.
 */
final class FeedPublisher implements AutoCloseable {
    private final String topic;
    private final int partitions;
    private final KafkaProducer<byte[], byte[]> producer;
    private volatile boolean stopped;

    FeedPublisher(String servers, String topic, int partitions) {
        this.topic = topic;
        this.partitions = partitions;
        Map<String, Object> settings = new HashMap<>(BulkProducer.settings());
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, LocalRun.RECORD_BYTES_MAX);
        settings.put(
                ProducerConfig.BUFFER_MEMORY_CONFIG,
                Math.max(BulkProducer.BUFFER_BYTES, 2L * LocalRun.RECORD_BYTES_MAX));
        // The service may be slower than the feed for as long as it takes.
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, Integer.MAX_VALUE);
        this.producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /**
     * Sends all of a feed; returns how many lines it had, when all have arrived, or this is closed.
     *
     * @param failed told what could not be sent
     */
    long send(Feed feed, LocalResults results, Consumer<Exception> failed) throws IOException {
        boolean isSeed = topic.equals(LocalRun.SEED_TOPIC);
        long count = 0;
        for (FeedRecord line = feed.next(); line != null && !stopped; line = feed.next()) {
            int partition = (int) (count++ % partitions);
            if (line.isOversized()) {
                results.oversized(line, isSeed);
                continue;
            }
            if (!isSeed) {
                results.published(line);
            }
            Future<?> unused =
                    producer.send(new ProducerRecord<>(topic, partition, line.key(), line.bytes()), (sent, failure) -> {
                        if (failure != null) {
                            failed.accept(failure);
                        }
                    });
        }
        producer.flush();
        return count;
    }

    /** Sends nothing more; what the client still holds is dropped. */
    @Override
    public void close() {
        stopped = true;
        producer.close(Duration.ZERO);
    }
}
