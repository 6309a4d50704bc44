package io.neardup.tools.local;

import io.neardup.tools.feed.Feed;
import io.neardup.tools.feed.FeedRecord;
import java.io.IOException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Sends the records of files to the topic of a seed. */
final class SeedPublisher {
    private final String servers;
    private final FeedPublisher.Target target;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    SeedPublisher(String servers, FeedPublisher.Target target) {
        this.servers = servers;
        this.target = target;
    }

    /**
     * Sends all of a feed; returns how many records when all have arrived.
     *
     * @param isStopped whether to end early
     */
    long send(Feed feed, LocalResults results, BooleanSupplier isStopped) throws IOException {
        long count = 0;
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                FeedPublisher.settings(servers, target), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (FeedRecord record = feed.next(); record != null && !isStopped.getAsBoolean(); record = feed.next()) {
                int partition = (int) (count++ % target.partitions());
                if (record.isOversized()) {
                    results.oversizedSeed(record, target.lineBytesMax());
                } else {
                    Future<?> unused = producer.send(
                            new ProducerRecord<>(target.topic(), partition, record.key(), record.bytes()),
                            (sent, failed) -> failure.compareAndSet(null, failed));
                }
            }
            producer.flush();
        }
        Exception failed = failure.get();
        if (failed != null) {
            throw new LocalRunException("the seeds could not be sent: " + failed, failed);
        }
        return count;
    }
}
