package io.neardup.streams.input;

import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The main consumer of a stream thread, which heeds the {@link InputGate}: it goes on where a coordinator that has
 * started says, whatever offset the group has committed, and does not fetch input partitions to which the gate is
 * closed. What was fetched before is still processed, so that the bound can be exceeded by what Streams buffers (a few
 * thousand records).
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
    private static final Logger LOG = LoggerFactory.getLogger(GatedConsumer.class);

    private final InputGate gate;
    private final Seeding seeding;
    private final Set<String> inputTopics;
    private final Predicate<String> maySkip;
    private final Set<TopicPartition> gated = new HashSet<>();

    /** What Streams wants paused, whatever the gate says. */
    private final Set<TopicPartition> pausedByStreams = new HashSet<>();

    /**
     * @param inputTopics those that documents come from, those of seeds too
     * @param maySkip whether to go on without records of an input topic that were deleted
     */
    public GatedConsumer(
            Map<String, Object> settings,
            InputGate gate,
            Seeding seeding,
            Collection<String> inputTopics,
            Predicate<String> maySkip) {
        super(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.gate = gate;
        this.seeding = seeding;
        this.inputTopics = Set.copyOf(inputTopics);
        this.maySkip = maySkip;
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        try {
            applyStarts();
            applyGate();
            return pollOrSkip(timeout);
        } catch (TimeoutException e) {
            LOG.debug("could not look at the input, trying on; cause={}", e.getMessage());
            return ConsumerRecords.empty();
        }
    }

    private ConsumerRecords<byte[], byte[]> pollOrSkip(Duration timeout) {
        try {
            return super.poll(timeout);
        } catch (OffsetOutOfRangeException e) {
            Map<TopicPartition, Long> positions = new HashMap<>(e.offsetOutOfRangePartitions());
            positions.keySet().removeIf(partition -> !inputTopics.contains(partition.topic()));
            if (positions.isEmpty()) {
                throw e; // Streams begins anew: what internal topics lose is asked for again.
            }
            seekWhereRecordsAre(positions, beginningOffsets(positions.keySet()), endOffsets(positions.keySet()));
            return ConsumerRecords.empty();
        }
    }

    private void seekWhereRecordsAre(
            Map<TopicPartition, Long> positions, Map<TopicPartition, Long> beginnings, Map<TopicPartition, Long> ends) {
        positions.forEach((partition, position) -> {
            long beginning = Objects.requireNonNull(beginnings.get(partition));
            long end = Objects.requireNonNull(ends.get(partition));
            String found = position < beginning
                    ? "found " + beginning + " as the first: " + (beginning - position)
                            + " offsets were deleted before their records had left"
                    : "found its end at " + end + ": it was cut off";
            if (!maySkip.test(partition.topic())) {
                throw new InputDeletedException("input " + partition + ": expected to go on from offset " + position
                        + ", " + found + "; start with --input-deleted skip to go on without them");
            }
            LOG.warn("input {}: expected to go on from offset {}, {}; skipped", partition, position, found);
            seek(partition, Math.min(Math.max(position, beginning), end));
            gate.noteGone(partition, beginning);
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
        if (start.equals(InputGate.BEGINNING)) {
            seekToBeginning(List.of(partition));
        } else {
            seek(partition, start.isHeld() ? start.offset() : behindGap(partition, start.offset()));
        }
    }

    /**
     * Where nothing is held, the group has committed the same offset, or one further on if nothing but transaction
     * markers, aborted records and gaps lie between. That these are gone is no loss.
     */
    private long behindGap(TopicPartition partition, long offset) {
        OffsetAndMetadata committed = committed(Set.of(partition)).get(partition);
        if (committed == null || committed.offset() <= offset) {
            return offset; // If that is gone, the next poll says so.
        }
        long beginning = beginningOffsets(List.of(partition)).getOrDefault(partition, offset);
        return Math.min(committed.offset(), Math.max(offset, beginning));
    }

    private boolean mustWait(TopicPartition partition) {
        return inputTopics.contains(partition.topic())
                && (seeding.isClosed(partition.topic()) || gate.isClosed(partition));
    }

    private void applyGate() {
        Set<TopicPartition> assigned = assignment();
        gated.retainAll(assigned);
        pausedByStreams.retainAll(assigned);
        List<TopicPartition> opened =
                gated.stream().filter(partition -> !mustWait(partition)).toList();
        opened.forEach(gated::remove);
        super.resume(opened.stream().filter(p -> !pausedByStreams.contains(p)).toList());
        List<TopicPartition> closed =
                assigned.stream().filter(this::mustWait).filter(gated::add).toList();
        closed.stream()
                .filter(partition -> !seeding.isClosed(partition.topic()))
                .forEach(partition -> gate.notePause(partition.partition()));
        super.pause(closed);
    }
}
