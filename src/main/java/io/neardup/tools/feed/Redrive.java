package io.neardup.tools.feed;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.neardup.config.NeardupConfig;
import io.neardup.record.InputRecord;
import io.neardup.record.Reason;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.StreamsSettings;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.topology.OutputLimits;
import java.io.IOException;
import java.util.Collections;
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
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Sends dead letters to the topic and the partition that they came from. With them it commits, in one transaction, up
 * to where each reason is dealt with: as the offset of a group that nobody joins. So each is sent once, however often
 * this is called and wherever it is stopped, as long as the cluster keeps these offsets. What became dead
 * letters after its start is left for the next time, so that nothing goes in a circle within one call.
 *
 * <p>For one thread; {@link #stop} may be called by another.
 */
public final class Redrive {
    private final NeardupConfig config;
    private final ClusterView cluster;
    private final String id;
    private final Set<Reason> reasons;
    private final int timesMax;
    private final Map<Reason, Map<LetterOutcome, Long>> counts = new EnumMap<>(Reason.class);
    private long foreign;
    /** Up to where dead letters are dealt with, for each reason. */
    private final Map<TopicPartition, EnumMap<Reason, Long>> positions = new HashMap<>();

    private Map<String, OutputLimits> inputLimits = Map.of();
    private Map<String, Integer> inputPartitions = Map.of();
    private final boolean areInputsAssumed;
    private volatile boolean stopped;

    /**
     * @param areInputsAssumed whether nobody has said which are the input topics
     * @param timesMax what was sent back so often is not sent again, at least 1
     */
    public Redrive(ClusterView cluster, boolean areInputsAssumed, Set<Reason> reasons, int timesMax) {
        this.areInputsAssumed = areInputsAssumed;
        this.config = cluster.config();
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
     * Sends, or counts what would be sent and changes nothing.
     *
     * @throws StartupException if a topic is not there, a right is missing, or the cluster or the settings do not take
     *     them; what was committed stays sent
     * @throws IOException if the cluster does not give the dead letters
     */
    public Summary run(boolean sends, LongConsumer progress) throws IOException {
        inputPartitions = cluster.partitions(config.inputTopics());
        inputLimits = cluster.limits(config.inputTopics());
        try (KafkaConsumer<byte[], byte[]> consumer = cluster.reader(id)) {
            if (!sends) {
                return read(consumer, letters -> letters.forEach(letter -> judge(letter, false)), progress);
            }
            try (Producer<byte[], byte[]> producer = BulkProducer.transactional(StreamsSettings.clients(config), id)) {
                Summary summary = read(consumer, letters -> send(letters, producer, consumer), progress);
                keepPositions(producer, consumer);
                return summary;
            }
        } catch (KafkaException e) {
            AclOperation operation = sends ? AclOperation.WRITE : AclOperation.READ;
            String what = sends ? "the input does not take the records" : "the dead letters cannot be read";
            throw BulkProducer.refused(id, config.deadLetterTopic(), e, operation, what);
        }
    }

    private Summary read(
            KafkaConsumer<byte[], byte[]> consumer, Consumer<List<InputRecord>> step, LongConsumer progress)
            throws IOException {
        Map<TopicPartition, Long> ends =
                new HashMap<>(cluster.admin().committedEnds(cluster.partitionsOf(List.of(config.deadLetterTopic()))));
        Map<TopicPartition, OffsetAndMetadata> kept = consumer.committed(ends.keySet());
        Map<TopicPartition, Long> beginnings = cluster.admin().beginnings(ends.keySet());
        Map<TopicPartition, Long> from = new HashMap<>();
        ends.forEach((partition, end) -> {
            OffsetAndMetadata found = kept.get(partition);
            EnumMap<Reason, Long> known = positions(found == null ? "" : found.metadata());
            positions.put(partition, known);
            long first = reasons.stream()
                    .mapToLong(reason -> known.getOrDefault(reason, 0L))
                    .min()
                    .orElse(0);
            from.put(partition, Math.max(first, TopicReading.offset(beginnings, partition)));
        });
        ends.entrySet().removeIf(end -> TopicReading.offset(from, end.getKey()) >= end.getValue());
        TopicReading reading = new TopicReading(consumer, from, ends);
        long dealt = 0;
        while (!stopped && !reading.unfinished().isEmpty()) {
            List<InputRecord> letters = reading.poll();
            Map<TopicPartition, Long> cut = reading.takeCut();
            if (!cut.isEmpty()) {
                throw new IOException("partitions " + cut.keySet() + ": expected the dead letters that were there at"
                        + " first, found some deleted, as by retention; try again for the others");
            }
            step.accept(letters);
            dealt += letters.size();
            progress.accept(dealt);
        }
        return new Summary(counts, foreign, !reading.unfinished().isEmpty());
    }

    /**
     * What is to be sent of a dead letter; it is counted.
     *
     * @throws StartupException where it is to be sent to a topic that only the settings of the service may name
     */
    private Optional<InputRecord> judge(InputRecord record, boolean sends) {
        Map<Reason, Long> known =
                Objects.requireNonNull(positions.get(new TopicPartition(record.topic(), record.partition())));
        Optional<DeadLetter> letter = DeadLetter.of(record);
        Optional<Reason> reason = letter.flatMap(found -> Reason.ofCode(found.reason()));
        if (letter.isEmpty() || reason.isEmpty()) {
            foreign++;
            return Optional.empty();
        }
        if (!reasons.contains(reason.get()) || record.offset() < known.getOrDefault(reason.get(), 0L)) {
            return Optional.empty();
        }
        LetterOutcome outcome = outcome(letter.get());
        String topic = letter.get().source().topic();
        boolean isOfSeed = config.seedTopics().contains(topic);
        if (sends && areInputsAssumed && outcome == LetterOutcome.NO_INPUT && !isOfSeed) {
            String inputs = String.join(",", config.inputTopics());
            throw new StartupException(record.place() + ": expected a dead letter of neardup.input.topics=" + inputs
                    + ", the default, found one of the topic " + topic
                    + ": give the --config of the service; or, where only " + inputs
                    + " is read, set neardup.input.topics=" + inputs);
        }
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
        OutputLimits limits = inputLimits.get(letter.source().topic());
        if (limits == null) {
            return LetterOutcome.NO_INPUT;
        }
        long bytesMax = Math.min(limits.recordBytesMax(), BulkProducer.BUFFER_BYTES);
        return OutputLimits.bytesMax(letter.again()) > bytesMax ? LetterOutcome.TOO_LARGE : LetterOutcome.SENT;
    }

    private void send(
            List<InputRecord> letters, Producer<byte[], byte[]> producer, KafkaConsumer<byte[], byte[]> consumer) {
        if (letters.isEmpty()) {
            return;
        }
        List<InputRecord> sent =
                letters.stream().flatMap(letter -> judge(letter, true).stream()).toList();
        producer.beginTransaction();
        for (InputRecord again : sent) {
            // What fails lets the commit fail.
            Future<?> unused = producer.send(record(again));
        }
        Map<TopicPartition, OffsetAndMetadata> dealt = new HashMap<>();
        for (InputRecord letter : letters) {
            TopicPartition partition = new TopicPartition(letter.topic(), letter.partition());
            EnumMap<Reason, Long> known = Objects.requireNonNull(positions.get(partition));
            reasons.forEach(reason -> known.merge(reason, letter.offset() + 1, Math::max));
            dealt.put(partition, position(known));
        }
        producer.sendOffsetsToTransaction(dealt, consumer.groupMetadata());
        producer.commitTransaction();
    }

    /** Brokers forget what is not committed for offsets.retention.minutes, also of partitions without new letters. */
    private void keepPositions(Producer<byte[], byte[]> producer, KafkaConsumer<byte[], byte[]> consumer) {
        Map<TopicPartition, OffsetAndMetadata> dealt = new HashMap<>();
        positions.forEach((partition, known) -> {
            if (!known.isEmpty()) {
                dealt.put(partition, position(known));
            }
        });
        producer.beginTransaction();
        producer.sendOffsetsToTransaction(dealt, consumer.groupMetadata());
        producer.commitTransaction();
    }

    private static OffsetAndMetadata position(EnumMap<Reason, Long> known) {
        return new OffsetAndMetadata(Collections.max(known.values()), metadata(known));
    }

    private ProducerRecord<byte[], byte[]> record(InputRecord again) {
        RecordHeaders headers = new RecordHeaders();
        again.headers().forEach(header -> headers.add(header.name(), header.value()));
        int count = Objects.requireNonNull(inputPartitions.get(again.topic()));
        // A topic that was made again may have fewer.
        Integer partition = again.partition() < count ? (Integer) again.partition() : null;
        // The input may take others than when it came in, and Kafka no negative ones; then it is the present.
        OutputLimits limits = Objects.requireNonNull(inputLimits.get(again.topic()));
        boolean isTaken =
                again.timestamp() >= 0 && limits.carriesTimestamp(again.timestamp(), System.currentTimeMillis());
        Long timestamp = isTaken ? (Long) again.timestamp() : null;
        return new ProducerRecord<>(again.topic(), partition, timestamp, again.key(), again.value(), headers);
    }

    public enum LetterOutcome {
        /** It is on the input again; where nothing is sent, it would be. */
        @JsonProperty("whole")
        SENT,
        /** Its value was left out, as the dead-letter topic did not take it. */
        @JsonProperty("valueLeftOut")
        VALUE_LEFT_OUT,
        @JsonProperty("tooOften")
        TOO_OFTEN,
        @JsonProperty("noInput")
        NO_INPUT,
        /** The input does not take it with one header more, or the producer no record of its size. */
        @JsonProperty("tooLarge")
        TOO_LARGE
    }

    /**
     * What became of dead letters.
     *
     * @param counts by reason, those that occurred; each with what occurred
     * @param foreign records on the topic that are no dead letters of a service of this release
     */
    public record Summary(Map<Reason, Map<LetterOutcome, Long>> counts, long foreign, boolean isStopped) {
        public long of(LetterOutcome outcome) {
            return counts.values().stream()
                    .mapToLong(count -> count.getOrDefault(outcome, 0L))
                    .sum();
        }
    }

    // ---- how positions are kept

    /** As {@link #metadata} wrote them; what is not known of this release is left out. */
    static EnumMap<Reason, Long> positions(String metadata) {
        EnumMap<Reason, Long> positions = new EnumMap<>(Reason.class);
        for (String entry : metadata.split(" ", -1)) {
            int equals = entry.indexOf('=');
            if (equals > 0) {
                Reason.ofCode(entry.substring(0, equals))
                        .ifPresent(reason -> positions.put(reason, Long.parseLong(entry.substring(equals + 1))));
            }
        }
        return positions;
    }

    /**
     * The metadata of an offset, {@code code=offset} with spaces between: all reasons take some 700 bytes of the 4,096
     * that a cluster allows.
     */
    static String metadata(EnumMap<Reason, Long> positions) {
        return positions.entrySet().stream()
                .map(entry -> entry.getKey().code() + "=" + entry.getValue())
                .collect(Collectors.joining(" "));
    }
}
