package io.neardup.service.http;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.CommittedRecords;
import io.neardup.service.cluster.StreamsSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads topics for people who look on, what is committed of them, in a thread of its own: it joins no group, and reads
 * only while somebody asks. Where it fails it says why, and tries again when it is asked later. Thread-safe.
 */
abstract class WhileAsked implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WhileAsked.class);
    private static final long UNASKED_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final NeardupConfig config;
    private final String what;
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable Thread reader;
    private long askedNanos;
    private long failedNanos = System.nanoTime() - RETRY_NANOS;
    private volatile String problem = "";

    /** @param what it reads, one word */
    WhileAsked(NeardupConfig config, String what) {
        this.config = config;
        this.what = what;
    }

    /** Reads from where it likes to until {@link #endsUnasked}, or fails. */
    abstract void read(KafkaConsumer<byte[], byte[]> consumer);

    /** Keeps nothing of what was read: nobody asks any more, or it has failed. */
    abstract void forget();

    /** Which topics it reads, as a sentence begins that tells what was expected of them. */
    abstract String topics();

    /** What is expected of the rights on them, and why, half a sentence; and what else can be done, with a comma. */
    abstract String expectedRights();

    abstract String remedy();

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
            reader = new Thread(this::read, "neardup-" + what);
            reader.setDaemon(true);
            reader.start();
        }
    }

    final synchronized boolean endsUnasked() {
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
            read(consumer);
        } catch (RuntimeException e) {
            note(explained(e));
            failed();
        } finally {
            ended();
        }
    }

    private String explained(RuntimeException failure) {
        String trying = "; trying again every " + TimeUnit.NANOSECONDS.toSeconds(RETRY_NANOS) + " s";
        if (failure instanceof AuthorizationException) {
            return topics() + ": expected that the user of the service may " + expectedRights()
                    + ", found that it may not; allow it with kafka-acls.sh --add" + remedy() + trying;
        }
        if (failure instanceof UnknownTopicOrPartitionException) {
            return topics() + ": expected to read what the page shows of it, found " + failure.getMessage() + trying;
        }
        return topics() + ": expected to read what the page shows of it, found " + failure + trying;
    }

    /** The log has it once, however often it is found. Empty where nothing is wrong. */
    final void note(String found) {
        if (!found.equals(problem) && !found.isEmpty()) {
            LOG.warn("no {} for the page: {}", what, found);
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

    /** Waits until a second has gone by since then, or the end. */
    final void awaitSecond(long beganNanos) {
        try {
            closed.await(TimeUnit.SECONDS.toNanos(1) - (System.nanoTime() - beganNanos), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptException(e);
        }
    }

    @Override
    public final void close() {
        closed.countDown();
    }
}
