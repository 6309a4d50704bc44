package io.neardup.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.testing.NewsFeed.News;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Publishes documents round robin over the partitions, the id as the key. It uses transactions: a broker that is killed
 * forgets what an idempotent producer has sent if the records are stamped more than a day ago, and stores it twice when
 * it comes again.
 */
public final class Feeder implements AutoCloseable {
    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;
    private final int partitions;
    private int fed;

    /** @param partitions 0 for all that the topic has */
    public Feeder(String servers, String topic, int partitions) {
        this.producer = Records.bytesTo(servers, Map.of("transactional.id", "feeder-" + UUID.randomUUID()));
        producer.initTransactions();
        this.topic = topic;
        this.partitions =
                partitions > 0 ? partitions : producer.partitionsFor(topic).size();
    }

    /** Returns when all have arrived. */
    public void feed(List<News> news) throws ExecutionException, InterruptedException {
        List<Future<?>> sent = new ArrayList<>();
        producer.beginTransaction();
        for (News one : news) {
            sent.add(send(one, fed++ % partitions));
        }
        for (Future<?> each : sent) {
            each.get();
        }
        producer.commitTransaction();
    }

    /** Returns when it has arrived, in this partition. */
    public void feed(News news, int partition) throws ExecutionException, InterruptedException {
        producer.beginTransaction();
        send(news, partition).get();
        producer.commitTransaction();
    }

    private Future<?> send(News news, int partition) {
        byte[] key = news.id().getBytes(UTF_8);
        return producer.send(
                new ProducerRecord<>(topic, partition, news.timestamp(), key, news.json(), news.headers()));
    }

    @Override
    public void close() {
        producer.close();
    }
}
