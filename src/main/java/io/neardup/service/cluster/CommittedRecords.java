package io.neardup.service.cluster;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads partitions, what is committed of them. Where a transaction is open it waits for its end: what that holds would
 * be missed. It gives up when nothing has come for a while, or after {@value #MINUTES_MAX} minutes.
 */
public final class CommittedRecords {
    private static final Logger LOG = LoggerFactory.getLogger(CommittedRecords.class);
    private static final int MINUTES_MAX = 15;
    private static final int FETCH_WAIT_MILLIS = 50;
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration REPORTING = Duration.ofSeconds(5);

    /** Of a consumer that follows what comes: it waits for that, in place of asking 20 times a second. */
    public static final Map<String, Object> FROM_THE_END =
            Map.of(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest", ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 500);

    private final Map<String, Object> clients;
    private final Duration stalled;

    /** @param stalledSeconds how long nothing may come, before it gives up */
    public CommittedRecords(Map<String, Object> clients, int stalledSeconds) {
        this.clients = clients;
        this.stalled = Duration.ofSeconds(stalledSeconds);
    }

    /** Offsets of a partition, the last not among them. */
    public record Span(long from, long to) {}

    /**
     * A consumer that is a member of no group, by itself for a read up to an end.
     *
     * @param clients what a client needs to reach the cluster
     * @param more settings of its own, which overrule those here
     */
    public static KafkaConsumer<byte[], byte[]> consumer(Map<String, Object> clients, Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(clients);
        // To close, it waits for the fetch behind the end, which no record ends.
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MILLIS);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.putAll(more);
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /**
     * Whether there are any records of a kind in these. Offsets are also taken by the ends of transactions, by what was
     * aborted and by what was compacted.
     *
     * @return true also where reading does not get on, as where a transaction is open
     * @throws StartupException if the broker does not even tell where to begin
     */
    public boolean isAny(Map<TopicPartition, Span> spans, Predicate<ConsumerRecord<byte[], byte[]>> kind) {
        Map<TopicPartition, Long> from = new HashMap<>();
        Map<TopicPartition, Long> ends = new HashMap<>();
        spans.forEach((partition, span) -> {
            from.put(partition, span.from());
            ends.put(partition, span.to());
        });
        try {
            return find(from, ends, kind);
        } catch (StartupException e) {
            if (e.getCause() instanceof TimeoutException) {
                throw e; // Nothing is known: nobody shall delete an index for that.
            }
            return true;
        }
    }

    /**
     * Gives all records before some offsets, each partition's in order.
     *
     * @param from the offsets to begin at; of other partitions it is the beginning
     */
    public void read(
            Map<TopicPartition, Long> from,
            Map<TopicPartition, Long> ends,
            Consumer<ConsumerRecord<byte[], byte[]>> action) {
        boolean unused = find(from, ends, record -> {
            action.accept(record);
            return false;
        });
    }

    private boolean find(
            Map<TopicPartition, Long> from,
            Map<TopicPartition, Long> ends,
            Predicate<ConsumerRecord<byte[], byte[]>> wanted) {
        Map<String, Object> patience = Map.of(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) stalled.toMillis());
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(clients, patience)) {
            consumer.assign(ends.keySet());
            consumer.seekToBeginning(ends.keySet());
            from.forEach(consumer::seek);
            return find(consumer, ends, wanted);
        } catch (TimeoutException e) {
            throw new StartupException(
                    "partitions " + ends.keySet() + ": expected the broker to tell where to begin, found no answer in"
                            + " time; check that it is well, and start again",
                    e);
        }
    }

    private boolean find(
            KafkaConsumer<byte[], byte[]> consumer,
            Map<TopicPartition, Long> ends,
            Predicate<ConsumerRecord<byte[], byte[]>> wanted) {
        long beganNanos = System.nanoTime();
        long movedNanos = beganNanos;
        long reportedNanos = beganNanos;
        long total = missing(consumer, ends);
        long missing = total;
        while (missing > 0) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (wanted.test(record)) {
                    return true;
                }
            }
            long nowNanos = System.nanoTime();
            long missingNow = missing(consumer, ends);
            movedNanos = missingNow < missing ? nowNanos : movedNanos;
            missing = missingNow;
            if (nowNanos - reportedNanos > REPORTING.toNanos()) {
                LOG.info("reading partitions={} offsets.read={} offsets={}", ends.keySet(), total - missing, total);
                reportedNanos = nowNanos;
            }
            if (nowNanos - movedNanos > stalled.toNanos()
                    || nowNanos - beganNanos > Duration.ofMinutes(MINUTES_MAX).toNanos()) {
                throw notRead(consumer, ends);
            }
        }
        return false;
    }

    private static long missing(KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream()
                .mapToLong(end -> Math.max(0, end.getValue() - consumer.position(end.getKey())))
                .sum();
    }

    private StartupException notRead(KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
        return new StartupException(ends.entrySet().stream()
                .filter(end -> consumer.position(end.getKey()) < end.getValue())
                .map(end -> "topic " + end.getKey().topic() + ", partition "
                        + end.getKey().partition()
                        + ": expected to read what is committed up to offset " + end.getValue()
                        + " without a stop of " + stalled.toSeconds() + " s and within " + MINUTES_MAX
                        + " min, found no more at " + consumer.position(end.getKey())
                        + "; the broker that has it may be away, or a transaction may be open there: look at the"
                        + " brokers, and start again when it has timed out")
                .toList());
    }
}
