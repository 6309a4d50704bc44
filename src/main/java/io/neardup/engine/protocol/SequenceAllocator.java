package io.neardup.engine.protocol;

import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import io.neardup.engine.protocol.DocumentCoordinator.InputOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Gives the records of a coordinator their refs and arrival orders, the same again for a record that is read again
 * after a restart.
 *
 * <p>A sequence number follows from the record's offset and the {@link SequenceBlock} that covers it, so that one block
 * is stored for many records. A block ends after {@value #BLOCK_MILLIS} ms, so that arrival times stay close to the
 * clock, and with the epoch that began it. A tombstone begins a new block if another topic has begun one since, and so
 * does the next record of that topic: of a tombstone and another record, the one that was read first has the smaller
 * number.
 */
public final class SequenceAllocator {
    static final long BLOCK_MILLIS = 100;

    /** Records that have not arrived again this long after the first {@link #noteTime} are gone from the input. */
    private static final long COME_AGAIN_MILLIS_MAX = 600_000;

    private final int coordinator;
    private final CoordinatorState state;
    private final Map<String, TopicProgress> topics = new HashMap<>();
    private final NavigableMap<Long, SequenceBlock> bySequence = new TreeMap<>();
    private final long firstSequenceOfThisEpoch;
    private long freeSequence;
    private long lastMillis;
    /** Sequence number of the last one of this epoch. */
    private long lastTombstone = -1;

    private long firstMillis = -1;
    private boolean expectsNothing;
    private final List<DocumentRef> skipped = new ArrayList<>();

    SequenceAllocator(int coordinator, CoordinatorState state) {
        this.coordinator = coordinator;
        this.state = state;
        state.blocks().forEach(this::add);
        firstSequenceOfThisEpoch = freeSequence;
        state.positions().forEach((name, position) -> topic(name).restore(position));
    }

    /**
     * Sequence numbers for {@value #SIZE} consecutive offsets of a topic, or up to the first offset of the topic's next
     * block, all under one arrival time.
     *
     * @param firstOffset gets the first sequence number
     * @param arrivalMillis when the block began, never less than that of an earlier block of the coordinator
     */
    public record SequenceBlock(String topic, long firstOffset, long firstSequence, long arrivalMillis) {
        static final int SIZE = 1024;

        boolean holdsOffset(long offset) {
            return offset >= firstOffset && offset - firstOffset < SIZE;
        }

        long sequenceOf(long offset) {
            return firstSequence + (offset - firstOffset);
        }

        long offsetOf(long sequence) {
            return firstOffset + (sequence - firstSequence);
        }

        long endOffset() {
            return firstOffset + SIZE;
        }

        ArrivalOrder order(DocumentRef ref) {
            return new ArrivalOrder(arrivalMillis, ref);
        }
    }

    private static final class TopicProgress {
        final NavigableMap<Long, SequenceBlock> blocks = new TreeMap<>();
        long nextToRead;
        /** The offsets of records that were taken in this epoch and are not released. */
        final Deque<Long> held = new ArrayDeque<>();

        InputPosition position = new InputPosition(0);
        /** As stored in the state; null if nothing is. */
        @Nullable
        InputPosition noted;

        void restore(InputPosition stored) {
            noted = stored;
            position = stored;
            nextToRead = stored.offset();
        }

        void take(long offset) {
            held.add(offset);
            nextToRead = offset + 1;
            position = new InputPosition(held.element(), Math.max(position.readEnd(), nextToRead));
        }

        void release(long released) {
            while (!held.isEmpty() && held.element() <= released) {
                held.remove();
            }
            position = new InputPosition(held.isEmpty() ? released + 1 : held.element(), position.readEnd());
        }

        /**
         * No record before an offset will come any more; those that are held have come. What an earlier epoch has read
         * behind it still comes again.
         */
        void skipTo(long offset) {
            nextToRead = offset;
            long heldEnd = held.isEmpty() ? offset : held.getLast() + 1;
            long readEnd = position.readEnd() > offset ? position.readEnd() : heldEnd;
            position = new InputPosition(held.isEmpty() ? offset : held.element(), readEnd);
        }

        /** Whether the record at an offset is released, or the topic is not read any more. */
        boolean isPast(long offset) {
            return offset < position.offset() || nextToRead == Long.MAX_VALUE;
        }

        /** Whether an earlier epoch has read the record at an offset, and this one has still to read it. */
        boolean isToBeReadAgain(long offset) {
            return offset >= nextToRead && offset < position.readEnd();
        }

        /** Whether the first record that is not released has a smaller number, or may have. */
        boolean isHeldBefore(long sequence) {
            return position.isHeld()
                    && block(position.offset())
                            .filter(block -> block.sequenceOf(position.offset()) >= sequence)
                            .isEmpty();
        }

        Optional<SequenceBlock> block(long offset) {
            return Optional.ofNullable(blocks.floorEntry(offset))
                    .map(Map.Entry::getValue)
                    .filter(block -> block.holdsOffset(offset));
        }
    }

    private void add(SequenceBlock block) {
        topic(block.topic()).blocks.put(block.firstOffset(), block);
        bySequence.put(block.firstSequence(), block);
        freeSequence = Math.max(freeSequence, block.firstSequence() + SequenceBlock.SIZE);
        lastMillis = Math.max(lastMillis, block.arrivalMillis());
    }

    private void remove(TopicProgress topic, SequenceBlock block) {
        topic.blocks.remove(block.firstOffset());
        bySequence.remove(block.firstSequence());
        state.forget(block);
    }

    private TopicProgress topic(String name) {
        return topics.computeIfAbsent(name, t -> new TopicProgress());
    }

    /** From where on each topic must be read: all before that is released. */
    Map<String, InputPosition> positions() {
        Map<String, InputPosition> positions = new TreeMap<>();
        topics.forEach((name, topic) -> positions.put(name, topic.position));
        return positions;
    }

    // ---- records arrive

    /** Takes the next record of its topic. */
    ArrivalOrder allocate(InputOffset at, long nowMillis) {
        return allocate(at, nowMillis, lastTombstone + 1);
    }

    /** Takes a tombstone as the next record of its topic: it comes after all records that were read before it. */
    ArrivalOrder allocateTombstone(InputOffset at, long nowMillis) {
        ArrivalOrder order = allocate(at, nowMillis, bySequence.isEmpty() ? 0 : bySequence.lastKey());
        lastTombstone = Math.max(lastTombstone, order.ref().sequence());
        return order;
    }

    private ArrivalOrder allocate(InputOffset at, long nowMillis, long sequenceMin) {
        TopicProgress topic = topic(at.topic());
        if (at.offset() < topic.nextToRead) {
            forgetTruncated(topic);
        }
        noteSkipped(topic, at.offset());
        boolean isReadAgain = topic.isToBeReadAgain(at.offset());
        topic.take(at.offset());
        SequenceBlock block = topic.block(at.offset())
                .filter(begun -> isReadAgain
                        || (!isOfEarlierEpoch(begun.firstSequence())
                                && begun.sequenceOf(at.offset()) >= sequenceMin
                                && nowMillis - begun.arrivalMillis() < BLOCK_MILLIS))
                .orElseGet(() -> begin(at, nowMillis));
        return order(block, at.offset());
    }

    /** The ref of the next record of its topic if an earlier epoch has read it. */
    Optional<DocumentRef> refOfEarlierEpoch(InputOffset at) {
        TopicProgress topic = topics.get(at.topic());
        return topic == null || !topic.isToBeReadAgain(at.offset())
                ? Optional.empty()
                : topic.block(at.offset())
                        .map(block -> order(block, at.offset()).ref());
    }

    /** The topic was truncated: other records stand at these offsets. */
    private void forgetTruncated(TopicProgress topic) {
        noteSkipped(topic, Long.MAX_VALUE);
        List.copyOf(topic.blocks.values()).forEach(block -> remove(topic, block));
        topic.held.clear();
        topic.position = new InputPosition(0);
    }

    /** Notes the numbers that an earlier epoch gave to records before an offset that are not read again. */
    private void noteSkipped(TopicProgress topic, long toOffset) {
        long end = Math.min(toOffset, topic.position.readEnd());
        if (topic.nextToRead >= end) {
            return; // Nearly always: no gap.
        }
        for (SequenceBlock block : topic.blocks.values()) {
            long from = Math.max(topic.nextToRead, block.firstOffset());
            Long nextBlock = topic.blocks.higherKey(block.firstOffset());
            long blockEnd = nextBlock == null ? block.endOffset() : Math.min(nextBlock, block.endOffset());
            LongStream.range(from, Math.min(end, blockEnd))
                    .forEach(offset -> skipped.add(order(block, offset).ref()));
        }
    }

    /** Refs of records that are gone from the input, each reported once; some were never given to a record. */
    List<DocumentRef> takeSkipped() {
        List<DocumentRef> taken = List.copyOf(skipped);
        skipped.clear();
        return taken;
    }

    private SequenceBlock begin(InputOffset at, long nowMillis) {
        SequenceBlock block = new SequenceBlock(at.topic(), at.offset(), freeSequence, Math.max(lastMillis, nowMillis));
        add(block);
        state.begin(block);
        return block;
    }

    private ArrivalOrder order(SequenceBlock block, long offset) {
        return block.order(new DocumentRef(coordinator, block.sequenceOf(offset)));
    }

    // ---- the state of a ref

    boolean isOfEarlierEpoch(long sequence) {
        return sequence < firstSequenceOfThisEpoch;
    }

    /** The block of a record that an earlier epoch read and this one has still to read; empty for any other record. */
    Optional<SequenceBlock> expectedAgain(DocumentRef ref) {
        return blockOf(ref)
                .filter(block ->
                        !expectsNothing && topic(block.topic()).isToBeReadAgain(block.offsetOf(ref.sequence())));
    }

    /** Whether a topic may have such records. */
    boolean expectsAgain(String name) {
        TopicProgress topic = topic(name);
        return !expectsNothing && topic.nextToRead < topic.position.readEnd();
    }

    /** Whether it is of a record that is not released. */
    boolean isInFlight(DocumentRef ref) {
        return blockOf(ref)
                .filter(block -> topic(block.topic()).position.isHeld(block.offsetOf(ref.sequence())))
                .isPresent();
    }

    /** Whether a record that was read, now or in an earlier epoch, has a smaller number and is not released. */
    boolean isInFlightBefore(long sequence) {
        return topics.values().stream().anyMatch(topic -> topic.isHeldBefore(sequence));
    }

    /** Whether no pending document has this number, nor ever will again: its record is released, or is gone. */
    boolean isPast(DocumentRef ref) {
        return ref.sequence() < freeSequence
                && blockOf(ref)
                        .filter(block -> !topic(block.topic()).isPast(block.offsetOf(ref.sequence())))
                        .isEmpty();
    }

    private Optional<SequenceBlock> blockOf(DocumentRef ref) {
        return Optional.ofNullable(bySequence.floorEntry(ref.sequence()))
                .map(Map.Entry::getValue)
                .filter(block -> block.holdsOffset(block.offsetOf(ref.sequence())));
    }

    void noteTime(long nowMillis) {
        firstMillis = firstMillis < 0 ? nowMillis : firstMillis;
        expectsNothing |= nowMillis - firstMillis > COME_AGAIN_MILLIS_MAX;
    }

    /** A topic is not read in this epoch: records of it that are not released are skipped. */
    void expectNothingAgain(String name) {
        TopicProgress topic = topic(name);
        noteSkipped(topic, Long.MAX_VALUE);
        topic.position = new InputPosition(topic.position.offset());
        topic.nextToRead = Long.MAX_VALUE;
    }

    // ---- where it begins and ends

    /** A topic of which no record was taken begins at this offset. */
    void startAt(String name, long offset) {
        topic(name).skipTo(offset);
    }

    /** By topic that was read or has a {@link #startAt start}, the offset behind the last record that was ever read. */
    Map<String, Long> readEnds() {
        Map<String, Long> ends = new HashMap<>();
        topics.forEach((name, topic) -> ends.put(name, Math.max(topic.nextToRead, topic.position.readEnd())));
        return ends;
    }

    /** Whether all records before an offset were read; true for a topic that is not among {@link #readEnds}. */
    boolean hasRead(String name, long end) {
        TopicProgress topic = topics.get(name);
        return topic == null || topic.nextToRead >= end;
    }

    /**
     * Of the records that an earlier epoch has read, those before an offset are gone; returns whether there were some
     * that had still to come again. Others may wait to be taken.
     */
    boolean skipExpected(String name, long before) {
        TopicProgress topic = topics.get(name);
        return topic != null && skipTo(name, Math.min(before, topic.position.readEnd()));
    }

    /** Records before an offset that were not read again are gone; returns whether there may have been some. */
    boolean skipTo(String name, long end) {
        TopicProgress topic = topics.get(name);
        if (topic == null || topic.nextToRead >= end) {
            return false;
        }
        noteSkipped(topic, end);
        topic.skipTo(end);
        return true;
    }

    // ---- records are released

    /** Notes that a record and all before it were released. */
    void noteReleased(InputOffset at, DocumentRef ref) {
        // A record from before the topic was truncated has no block any more.
        blockOf(ref)
                .filter(block -> block.topic().equals(at.topic()) && block.offsetOf(ref.sequence()) == at.offset())
                .ifPresent(block -> topic(at.topic()).release(at.offset()));
    }

    void endStep() {
        topics.forEach((name, topic) -> {
            if (!topic.position.equals(topic.noted)) {
                topic.noted = topic.position;
                state.notePosition(name, topic.position);
                forgetBlocksBefore(topic);
            }
        });
    }

    /** The block that covers the position stays: it tells which numbers are free. */
    private void forgetBlocksBefore(TopicProgress topic) {
        Long begun = topic.blocks.floorKey(topic.position.offset());
        while (begun != null && topic.blocks.firstKey() < begun) {
            remove(topic, topic.blocks.firstEntry().getValue());
        }
    }
}
