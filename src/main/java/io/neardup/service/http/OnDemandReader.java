package io.neardup.service.http;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.CommittedRecords;
import io.neardup.service.cluster.FailureCause;
import io.neardup.service.cluster.StreamsSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.utils.KafkaThread;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads topics for people who look on, what is committed of them, in a thread of its own: it joins no group, and reads
 * only while somebody asks, and no more in a second than is bound. Where it fails it says why, and tries again when it
 * is asked later. Thread-safe.
 */
abstract class OnDemandReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OnDemandReader.class);
    private static final long UNASKED_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final Duration POLL = Duration.ofMillis(200);

    private final NeardupConfig config;
    private final Subject subject;
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable Thread reader;
    private long askedNanos;
    private long failedNanos = System.nanoTime() - RETRY_NANOS;
    private volatile String problem = "";

    /**
     * What is read.
     *
     * @param name of it, one word
     * @param topics as a sentence begins that tells what was expected of them
     * @param recordsMax in a second: the rest waits for the next
     * @param bytesMax likewise
     */
    record Subject(String name, String topics, int recordsMax, long bytesMax) {}

    OnDemandReader(NeardupConfig config, Subject subject) {
        this.config = config;
        this.subject = subject;
    }

    /** Somebody asks: assigns the consumer to where it is to begin. What follows is of the same thread. */
    abstract void begin(KafkaConsumer<byte[], byte[]> consumer);

    abstract void take(ConsumerRecord<byte[], byte[]> record);

    /** A second has gone by, in which all has come, or as much as is read in one. */
    abstract void endSecond(KafkaConsumer<byte[], byte[]> consumer);

    /** Keeps nothing of what was read: nobody asks any more, or it has failed. */
    abstract void forget();

    /** @throws UnknownTopicOrPartitionException where there is no such topic */
    static List<TopicPartition> partitions(Consumer<?, ?> consumer, String topic) {
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(found -> new TopicPartition(found.topic(), found.partition()))
                .toList();
        if (partitions.isEmpty()) {
            throw new UnknownTopicOrPartitionException("no topic " + topic);
        }
        return partitions;
    }

    /** Notes that somebody asks. Does not wait: who asks first gets nothing. */
    final synchronized void ask() {
        askedNanos = System.nanoTime();
        if (reader == null && closed.getCount() > 0 && askedNanos - failedNanos >= RETRY_NANOS) {
            reader = KafkaThread.daemon("neardup-" + subject.name, this::read);
            reader.start();
        }
    }

    private synchronized boolean shouldStop() {
        return closed.getCount() == 0 || System.nanoTime() - askedNanos > UNASKED_NANOS;
    }

    private synchronized void failed() {
        failedNanos = System.nanoTime();
    }

    /** Only then may another reader begin: this one would take from it what it has read. */
    private synchronized void ended() {
        forget();
        reader = null;
    }

    private void read() {
        try (KafkaConsumer<byte[], byte[]> consumer =
                CommittedRecords.consumer(StreamsSettings.clients(config), settings())) {
            begin(consumer);
            while (!shouldStop()) {
                long beganNanos = System.nanoTime();
                readSecond(consumer, beganNanos);
                endSecond(consumer);
                setProblem("");
                closed.await(SECOND_NANOS - (System.nanoTime() - beganNanos), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            setProblem(subject.topics + ": expected to READ what the page shows, found " + FailureCause.root(e)
                    + "; check that they exist and that the service may READ them (kafka-acls.sh --add);"
                    + " trying again every "
                    + TimeUnit.NANOSECONDS.toSeconds(RETRY_NANOS) + " s");
            failed();
        } finally {
            ended();
        }
    }

    private void readSecond(KafkaConsumer<byte[], byte[]> consumer, long beganNanos) {
        int records = 0;
        long bytes = 0;
        boolean isBehind = true;
        while (isBehind && System.nanoTime() - beganNanos < SECOND_NANOS) {
            ConsumerRecords<byte[], byte[]> read = consumer.poll(POLL);
            for (ConsumerRecord<byte[], byte[]> record : read) {
                take(record);
                bytes += Math.max(0, record.serializedValueSize());
            }
            records += read.count();
            isBehind = !read.isEmpty() && records < subject.recordsMax && bytes < subject.bytesMax;
        }
    }

    /** The log has it once, however often it is found. Empty where nothing is wrong. */
    private void setProblem(String found) {
        if (!found.equals(problem) && !found.isEmpty()) {
            LOG.warn("no {} for the page: {}", subject.name, found);
        }
        problem = found;
    }

    /** Why there is nothing; empty where nothing is wrong. */
    public final String problem() {
        return problem;
    }

    private static Map<String, Object> settings() {
        Map<String, Object> settings = new HashMap<>(CommittedRecords.FROM_THE_END);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 1 << 20);
        settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 256 << 10);
        settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000);
        return settings;
    }

    @Override
    public final void close() {
        closed.countDown();
    }
}
