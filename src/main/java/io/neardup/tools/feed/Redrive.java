package io.neardup.tools.feed;

import io.neardup.config.NeardupConfig;
import io.neardup.record.InputRecord;
import io.neardup.record.Reason;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.StreamsSettings;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.topology.OutputLimits;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.tools.feed.RedriveSummary.LetterOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Sends dead letters to the topic and the partition that they came from. With them it commits, in one transaction, up
 * to where each reason is dealt with: as the offset of a group that nobody joins. So each is sent once, however often
 * this is called and wherever it is stopped. What became dead letters after its start is left for the next time, so
 * that nothing goes in a circle within one call.
 *
 * <p>For one thread; {@link #stop} may be called by another.
 */
public final class Redrive {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration STALLED = Duration.ofSeconds(30);

    private final NeardupConfig config;
    private final ClusterView cluster;
    private final String id;
    private final Set<Reason> reasons;
    private final int timesMax;
    private final Map<Reason, Map<LetterOutcome, Long>> counts = new EnumMap<>(Reason.class);
    private long foreign;
    private final Map<TopicPartition, RedrivePositions> positions = new HashMap<>();
    private Map<String, Long> inputBytesMax = Map.of();
    private Map<String, Integer> inputPartitions = Map.of();
    private volatile boolean stopped;

    /**
     * One of which nothing is done yet.
     *
     * @param cluster of the same settings
     * @param reasons dead letters of these are dealt with
     * @param timesMax what was sent back so often is not sent again, at least 1
     */
    public Redrive(NeardupConfig config, ClusterView cluster, Set<Reason> reasons, int timesMax) {
        this.config = config;
        this.cluster = cluster;
        this.id = config.applicationId() + "-redrive";
        this.reasons = EnumSet.copyOf(reasons);
        this.timesMax = timesMax;
    }

    /** Ends after the next commit. */
    public void stop() {
        stopped = true;
    }

    /**
     * Counts what {@link #run} would do, and changes nothing.
     *
     * @param progress told how many are dealt with
     * @throws StartupException if a topic is not there, a right is missing, or the cluster does not give them
     */
    public RedriveSummary count(LongConsumer progress) {
        findInputs();
        try (KafkaConsumer<byte[], byte[]> consumer = cluster.reader(id)) {
            return read(consumer, letters -> letters.forEach(this::judge), progress);
        } catch (KafkaException e) {
            throw explained(e, AclOperation.READ, "the dead letters cannot be read");
        }
    }

    /**
     * Sends.
     *
     * @param progress told how many are dealt with
     * @throws StartupException if a topic is not there, a right is missing, or the cluster does not take them; what was
     *     committed stays sent
     */
    public RedriveSummary run(LongConsumer progress) {
        findInputs();
        try {
            KafkaProducer<byte[], byte[]> producer =
                    BulkProducer.transactional(StreamsSettings.clients(cluster.config()), id);
            try (KafkaConsumer<byte[], byte[]> consumer = cluster.reader(id)) {
                return read(consumer, letters -> send(letters, producer, consumer), progress);
            } finally {
                producer.close(BulkProducer.CLOSING);
            }
        } catch (KafkaException e) {
            throw explained(e, AclOperation.WRITE, "the input does not take the records");
        }
    }

    private RuntimeException explained(KafkaException failure, AclOperation operation, String what) {
        return new Refusals(id, config.deadLetterTopic()).explained(failure, operation, what);
    }

    private void findInputs() {
        inputPartitions = cluster.partitions(config.inputTopics());
        inputBytesMax = cluster.recordBytesMax(config.inputTopics());
    }

    private Map<TopicPartition, Long> ends() {
        String topic = config.deadLetterTopic();
        int count = Objects.requireNonNull(cluster.partitions(List.of(topic)).get(topic));
        return cluster.admin().committedEnds(ClusterAdmin.partitions(topic, count));
    }

    /** Up to the ends that there are now. */
    private RedriveSummary read(
            KafkaConsumer<byte[], byte[]> consumer,
            Consumer<List<ConsumerRecord<byte[], byte[]>>> step,
            LongConsumer progress) {
        Map<TopicPartition, Long> ends = ends();
        begin(consumer, ends);
        long dealt = 0;
        long movedNanos = System.nanoTime();
        while (!stopped && isMissing(consumer, ends)) {
            ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
            List<ConsumerRecord<byte[], byte[]>> letters = new ArrayList<>();
            polled.forEach(letter -> {
                if (letter.offset() < end(letter, ends)) {
                    letters.add(letter);
                }
            });
            step.accept(letters);
            dealt += letters.size();
            progress.accept(dealt);
            movedNanos = letters.isEmpty() ? movedNanos : System.nanoTime();
            if (System.nanoTime() - movedNanos > STALLED.toNanos()) {
                throw new StartupException("expected to read the dead letters up to " + ends + ", found no more for "
                        + STALLED.toSeconds() + " s: look at the brokers, and call it again");
            }
        }
        return new RedriveSummary(counts, foreign, isMissing(consumer, ends));
    }

    private void begin(KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
        Map<TopicPartition, OffsetAndMetadata> kept = consumer.committed(ends.keySet());
        Map<TopicPartition, Long> beginnings = cluster.admin().beginnings(ends.keySet());
        Map<TopicPartition, Long> from = new HashMap<>();
        ends.forEach((partition, end) -> {
            OffsetAndMetadata found = kept.get(partition);
            RedrivePositions known = found == null ? new RedrivePositions() : RedrivePositions.of(found.metadata());
            positions.put(partition, known);
            long first = Math.max(known.first(reasons), Objects.requireNonNull(beginnings.get(partition)));
            if (first < end) {
                from.put(partition, first);
            }
        });
        consumer.assign(from.keySet());
        from.forEach(consumer::seek);
    }

    private static boolean isMissing(KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
        return consumer.assignment().stream()
                .anyMatch(partition -> consumer.position(partition) < Objects.requireNonNull(ends.get(partition)));
    }

    private static long end(ConsumerRecord<byte[], byte[]> letter, Map<TopicPartition, Long> ends) {
        return Objects.requireNonNull(ends.get(new TopicPartition(letter.topic(), letter.partition())));
    }

    /** What is to be sent of a dead letter; it is counted. */
    private Optional<InputRecord> judge(ConsumerRecord<byte[], byte[]> record) {
        RedrivePositions known =
                Objects.requireNonNull(positions.get(new TopicPartition(record.topic(), record.partition())));
        Optional<DeadLetter> letter = DeadLetter.of(OutputRecords.copy(record));
        Optional<Reason> reason = letter.flatMap(found -> Reason.ofCode(found.reason()));
        if (letter.isEmpty() || reason.isEmpty()) {
            foreign++;
            return Optional.empty();
        }
        if (!reasons.contains(reason.get()) || record.offset() < known.next(reason.get())) {
            return Optional.empty();
        }
        LetterOutcome outcome = outcome(letter.get());
        counts.computeIfAbsent(reason.get(), unused -> new EnumMap<>(LetterOutcome.class))
                .merge(outcome, 1L, Long::sum);
        return outcome == LetterOutcome.SENT ? Optional.of(letter.get().again()) : Optional.empty();
    }

    private LetterOutcome outcome(DeadLetter letter) {
        if (!letter.isWhole()) {
            return LetterOutcome.VALUE_LEFT_OUT;
        }
        if (letter.times() >= timesMax) {
            return LetterOutcome.TOO_OFTEN;
        }
        Long bytesMax = inputBytesMax.get(letter.input().topic());
        if (bytesMax == null) {
            return LetterOutcome.NO_INPUT;
        }
        return OutputLimits.bytesMax(letter.again()) > bytesMax ? LetterOutcome.TOO_LARGE : LetterOutcome.SENT;
    }

    private void send(
            List<ConsumerRecord<byte[], byte[]>> letters,
            KafkaProducer<byte[], byte[]> producer,
            KafkaConsumer<byte[], byte[]> consumer) {
        if (letters.isEmpty()) {
            return;
        }
        producer.beginTransaction();
        Map<TopicPartition, OffsetAndMetadata> dealt = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> letter : letters) {
            judge(letter).ifPresent(again -> {
                // What fails lets the commit fail.
                Future<?> unused = producer.send(record(again));
            });
            TopicPartition partition = new TopicPartition(letter.topic(), letter.partition());
            RedrivePositions position = Objects.requireNonNull(positions.get(partition));
            position.advance(reasons, letter.offset() + 1);
            dealt.put(partition, new OffsetAndMetadata(position.last(), position.metadata()));
        }
        producer.sendOffsetsToTransaction(dealt, consumer.groupMetadata());
        producer.commitTransaction();
    }

    private ProducerRecord<byte[], byte[]> record(InputRecord again) {
        RecordHeaders headers = new RecordHeaders();
        again.headers().forEach(header -> headers.add(header.name(), header.value()));
        int count = Objects.requireNonNull(inputPartitions.get(again.topic()));
        // A topic that was made again may have fewer.
        Integer partition = again.partition() < count ? (Integer) again.partition() : null;
        // Kafka refuses negative ones; then it is the present.
        Long timestamp = again.timestamp() >= 0 ? (Long) again.timestamp() : null;
        return new ProducerRecord<>(again.topic(), partition, timestamp, again.key(), again.value(), headers);
    }
}
