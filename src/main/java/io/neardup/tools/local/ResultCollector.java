package io.neardup.tools.local;

import io.neardup.config.NeardupConfig;
import io.neardup.record.InputRecord;
import io.neardup.streams.topology.OutputRecords;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads the committed records of all outputs, on a thread of its own, until everything that was published has
 * come out.
 */
final class ResultCollector implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final long JOIN_MILLIS = 10_000;

    private final NeardupConfig config;
    private final LocalResults results;
    private final CompletableFuture<Void> outcome;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread thread;

    /**
     * Starts collecting.
     *
     * @param outcome completed at the end, or with what goes wrong
     */
    ResultCollector(
            NeardupConfig config,
            int partitions,
            LocalResults results,
            CompletableFuture<Void> outcome,
            String servers) {
        this.config = config;
        this.results = results;
        this.outcome = outcome;
        this.consumer =
                new KafkaConsumer<>(settings(servers), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.assign(config.outputTopics().stream()
                .flatMap(topic -> IntStream.range(0, partitions).mapToObj(number -> new TopicPartition(topic, number)))
                .toList());
        this.thread = new Thread(this::run, "neardup-results");
        thread.setDaemon(true);
        thread.start();
    }

    private static Map<String, Object> settings(String servers) {
        return Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                servers,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                // Closing waits for the last fetch, which no record ends.
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                100,
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                2_000);
    }

    private void run() {
        try (consumer) {
            while (!results.isComplete()) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    collect(record);
                }
            }
            outcome.complete(null);
        } catch (WakeupException e) {
            // Closed.
        } catch (IOException | RuntimeException e) {
            outcome.completeExceptionally(e);
        }
    }

    private void collect(ConsumerRecord<byte[], byte[]> record) throws IOException {
        InputRecord collected = OutputRecords.copy(record);
        if (record.topic().equals(config.uniqueTopic())) {
            results.unique(collected);
        } else if (record.topic().equals(config.duplicatesTopic())) {
            results.duplicate(collected);
        } else if (record.topic().equals(config.deadLetterTopic())) {
            results.deadLetter(collected);
        } else if (record.topic().equals(config.verdictsTopic())) {
            results.verdict(collected);
        } else {
            throw new IllegalStateException("expected a topic of the outputs, found " + record.topic());
        }
    }

    @Override
    public void close() {
        consumer.wakeup();
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
