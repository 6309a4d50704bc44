package io.neardup.streams.input;

import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The main consumer of a stream thread, which heeds the {@link InputGate}: it goes on where a coordinator that has
 * started says, whatever offset the group has committed, and does not fetch input partitions to which the gate is
 * closed. What was fetched before is still processed, so that the bound can be exceeded by what Streams buffers (a few
 * thousand records, {@value #POLL_BYTES_MAX} bytes of a poll).
 *
 * <p>A record that cannot be read yet, as its schema is still fetched, is not handed to Streams, nor is what lies
 * behind it in its partition: the consumer goes back to it, and that partition is not fetched until the schema is
 * there. So it stays in the topic, uncommitted, and is read again after a crash as any other, while the thread goes on
 * with all other partitions, answers and commits. A task that held such records itself would need a bound and a place
 * to keep them, and order among those that are held and those that come.
 *
 * <p>Until an index is seeded, it does not fetch the input at all, and of the seeds one after the other.
 *
 * <p>Where the input begins behind the position reached or ends before it, Streams would go on from the beginning
 * without a word, past records that are lost or over all of them again. Here that is a failure, or is skipped with a
 * warning. That no record lay between the position and the beginning cannot be known any more.
 *
 * <p>Streams pauses and resumes partitions too, by the fill of its buffers and while a task is not ready. A partition
 * is fetched if neither wants it paused.
 */
public final class GatedConsumer extends KafkaConsumer<byte[], byte[]> {
    /** Keys, values and headers of a poll, of records that have a key or a value; one more may exceed it. */
    private static final int POLL_BYTES_MAX = 32 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(GatedConsumer.class);

    private final PollBound bound;
    private final InputGate gate;
    private final Seeding seeding;
    private final Set<String> gatedTopics;
    private final Predicate<String> maySkip;
    private final Predicate<ConsumerRecord<byte[], byte[]>> isUnreadable;
    /** Of each partition that waits for a schema, the record that does. */
    private final Map<TopicPartition, ConsumerRecord<byte[], byte[]>> unreadable = new HashMap<>();

    private final Set<TopicPartition> gated = new HashSet<>();

    /** What Streams wants paused, whatever the gate says. */
    private final Set<TopicPartition> pausedByStreams = new HashSet<>();

    /**
     * @param gatedTopics those that gate and seeding may close
     * @param maySkip whether to go on without records of an input topic that were deleted
     * @param isUnreadable whether a record has to wait; asked again and again while it does, without waiting itself
     */
    public GatedConsumer(
            Map<String, Object> settings,
            InputGate gate,
            Seeding seeding,
            Collection<String> gatedTopics,
            Predicate<String> maySkip,
            Predicate<ConsumerRecord<byte[], byte[]>> isUnreadable) {
        this(settings, new PollBound(), gate, seeding, gatedTopics, maySkip, isUnreadable);
    }

    private GatedConsumer(
            Map<String, Object> settings,
            PollBound bound,
            InputGate gate,
            Seeding seeding,
            Collection<String> gatedTopics,
            Predicate<String> maySkip,
            Predicate<ConsumerRecord<byte[], byte[]>> isUnreadable) {
        super(settings, bound, bound);
        this.bound = bound;
        this.gate = gate;
        this.seeding = seeding;
        this.gatedTopics = Set.copyOf(gatedTopics);
        this.maySkip = maySkip;
        this.isUnreadable = isUnreadable;
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        try {
            applyStarts();
            applyGate();
            return readable(pollOrSkip(timeout));
        } catch (TimeoutException e) {
            LOG.debug("could not look at the input, trying on; cause={}", e.getMessage());
            return ConsumerRecords.empty();
        }
    }

    /** What comes before the first record of each partition that has to wait. */
    private ConsumerRecords<byte[], byte[]> readable(ConsumerRecords<byte[], byte[]> read) {
        // All are asked about, so that what several lack is fetched at once.
        Map<TopicPartition, ConsumerRecord<byte[], byte[]>> waiting = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : read) {
            if (isUnreadable.test(record)) {
                waiting.putIfAbsent(new TopicPartition(record.topic(), record.partition()), record);
            }
        }
        if (waiting.isEmpty()) {
            return read;
        }
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> kept = new HashMap<>();
        read.partitions().forEach(partition -> kept.put(partition, read.records(partition)));
        Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>(read.nextOffsets());
        waiting.forEach((partition, first) -> {
            unreadable.put(partition, first);
            seek(partition, first.offset());
            // Streams commits up to here, as long as nothing else comes.
            next.put(partition, new OffsetAndMetadata(first.offset()));
            kept.computeIfPresent(
                    partition, (p, all) -> first == all.get(0) ? null : all.subList(0, all.indexOf(first)));
        });
        return new ConsumerRecords<>(kept, next);
    }

    private ConsumerRecords<byte[], byte[]> pollOrSkip(Duration timeout) {
        try {
            bound.begin();
            return super.poll(timeout);
        } catch (OffsetOutOfRangeException e) {
            seekWhereRecordsAre(e);
            return ConsumerRecords.empty();
        }
    }

    void seekWhereRecordsAre(OffsetOutOfRangeException found) {
        Map<TopicPartition, Long> positions = new HashMap<>(found.offsetOutOfRangePartitions());
        positions.keySet().removeIf(partition -> !gatedTopics.contains(partition.topic()));
        if (positions.isEmpty()) {
            throw found; // Streams begins anew: what internal topics lose is asked for again.
        }
        Map<TopicPartition, Long> ends = new HashMap<>(endOffsets(positions.keySet()));
        if (found instanceof LogTruncationException truncated) {
            // Others have been written there since: they lie before its end, and maybe before the position.
            truncated.divergentOffsets().forEach((partition, end) -> ends.put(partition, end.offset()));
        }
        seekWhereRecordsAre(positions, beginningOffsets(positions.keySet()), ends);
    }

    private void seekWhereRecordsAre(
            Map<TopicPartition, Long> positions, Map<TopicPartition, Long> beginnings, Map<TopicPartition, Long> ends) {
        positions.forEach((partition, position) -> {
            long beginning = Objects.requireNonNull(beginnings.get(partition));
            long end = Objects.requireNonNull(ends.get(partition));
            String found = position < beginning
                    ? "found " + beginning + " as the first: " + (beginning - position)
                            + " offsets were deleted before their records had left"
                    : "found it cut off at " + end;
            if (!maySkip.test(partition.topic())) {
                throw new InputDeletedException("input " + partition + ": expected to go on from offset " + position
                        + ", " + found + "; start with --input-deleted skip to go on without them");
            }
            LOG.warn("input {}: expected to go on from offset {}, {}; skipped", partition, position, found);
            seek(partition, Math.max(beginning, Math.min(position, end)));
            gate.noteDeleted(partition, beginning);
        });
    }

    @Override
    public void pause(Collection<TopicPartition> partitions) {
        pausedByStreams.addAll(partitions);
        super.pause(partitions);
    }

    @Override
    public void resume(Collection<TopicPartition> partitions) {
        pausedByStreams.removeAll(partitions);
        super.resume(partitions.stream().filter(p -> !gated.contains(p)).toList());
    }

    private void applyStarts() {
        for (TopicPartition partition : assignment()) {
            gate.start(partition).ifPresent(start -> {
                goTo(partition, start);
                gate.takeStart(partition);
            });
        }
    }

    private void goTo(TopicPartition partition, InputPosition start) {
        unreadable.remove(partition);
        if (start.equals(InputGate.EARLIEST)) {
            seekToBeginning(List.of(partition));
        } else {
            seek(
                    partition,
                    start.isHeld() ? new OffsetAndMetadata(start.offset()) : behindGap(partition, start.offset()));
        }
    }

    /**
     * Where nothing is held, the group has committed the same offset, or one further on if nothing but transaction
     * markers, aborted records and gaps lie between. That these are gone is no loss. By the epoch that was committed
     * with the offset, the next poll notices that the topic was cut off before it, and others written there.
     */
    private OffsetAndMetadata behindGap(TopicPartition partition, long offset) {
        OffsetAndMetadata committed = committed(Set.of(partition)).get(partition);
        if (committed == null || committed.offset() < offset) {
            return new OffsetAndMetadata(offset); // If that is gone, the next poll says so.
        }
        long beginning = beginningOffsets(List.of(partition)).getOrDefault(partition, offset);
        long first = Math.max(offset, beginning);
        return committed.offset() <= first ? committed : new OffsetAndMetadata(first);
    }

    private boolean mustWait(TopicPartition partition) {
        return gatedTopics.contains(partition.topic())
                && (seeding.isClosed(partition.topic())
                        || gate.isClosed(partition)
                        || unreadable.containsKey(partition));
    }

    private void applyGate() {
        Set<TopicPartition> assigned = assignment();
        gated.retainAll(assigned);
        pausedByStreams.retainAll(assigned);
        unreadable.keySet().retainAll(assigned);
        unreadable.values().removeIf(record -> !isUnreadable.test(record));
        List<TopicPartition> opened =
                gated.stream().filter(partition -> !mustWait(partition)).toList();
        opened.forEach(gated::remove);
        super.resume(opened.stream().filter(p -> !pausedByStreams.contains(p)).toList());
        List<TopicPartition> closed =
                assigned.stream().filter(this::mustWait).filter(gated::add).toList();
        closed.stream()
                .filter(partition -> !seeding.isClosed(partition.topic()) && !unreadable.containsKey(partition))
                .forEach(gate::notePause);
        super.pause(closed);
    }

    /**
     * Ends a poll at so many bytes. Kafka bounds the number of its records, and their bytes as they are fetched: a
     * batch of 1 MB may hold 1 GB. Where a deserializer throws, a poll returns what lies before, and the next one
     * begins with that record.
     */
    private static final class PollBound extends ByteArrayDeserializer {
        /** An object with its name and value. */
        private static final int HEADER_BYTES = 150;

        private long bytes;
        private @Nullable Headers ofLast;

        void begin() {
            bytes = 0;
        }

        @Override
        public byte[] deserialize(String topic, Headers headers, ByteBuffer keyOrValue) {
            if (headers != ofLast) { // Key and value of a record come with the same.
                if (bytes >= POLL_BYTES_MAX) {
                    throw new SerializationException("the rest by the next poll");
                }
                ofLast = headers;
                for (Header header : headers) {
                    byte[] value = header.value();
                    bytes += HEADER_BYTES + header.key().length() + (value == null ? 0 : value.length);
                }
            }
            bytes += keyOrValue.remaining();
            return super.deserialize(topic, headers, keyOrValue);
        }
    }
}
