package io.neardup.engine.protocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Gives the records of a coordinator their refs and stamps, the same again for a record that is read again after a
 * restart.
 *
 * <p>A number follows from the record's offset and the {@link SequenceBlock} that covers it, so that what is stored is
 * one block for many records. It ends after {@value #BLOCK_MILLIS} ms, so that stamps stay close to the clock. Nobody
 * knows how far into its last blocks an earlier life read: unless all of it had left, they are used to their ends.
 */
final class SequenceAllocator {
    static final long BLOCK_MILLIS = 100;

    private final int coordinator;
    private final CoordinatorState state;
    private final Map<String, NumberedTopic> topics = new HashMap<>();
    private final NavigableMap<Long, SequenceBlock> bySequence = new TreeMap<>();
    /** By topic, the first offset that is left to a successor; not of topics that are read on. */
    private Map<String, Long> ends = Map.of();

    /** Topics whose positions are not stored yet. */
    private final TreeSet<String> moved = new TreeSet<>();

    private final long firstSequenceOfThisLife;
    private long freeSequence;
    private long lastMillis;
    private boolean stoppedWaiting;
    private final List<DocumentRef> skipped = new ArrayList<>();

    SequenceAllocator(int coordinator, CoordinatorState state) {
        this.coordinator = coordinator;
        this.state = state;
        state.blocks().forEach(this::add);
        firstSequenceOfThisLife = freeSequence;
        Map<String, InputPosition> positions = state.positions();
        positions.keySet().forEach(this::topic); // one that is still to be begun has no blocks
        topics.forEach((name, topic) -> topic.goOn(positions.get(name), state));
    }

    private void add(SequenceBlock block) {
        topic(block.topic()).blocks.put(block.firstOffset(), block);
        bySequence.put(block.firstSequence(), block);
        freeSequence = Math.max(freeSequence, block.lastSequence() + 1);
        lastMillis = Math.max(lastMillis, block.arrivalMillis());
    }

    private void remove(NumberedTopic topic, SequenceBlock block) {
        topic.blocks.remove(block.firstOffset());
        bySequence.remove(block.firstSequence());
        state.forget(block);
    }

    /** From where on each topic must be read, as what lies there has not left. */
    Map<String, InputPosition> positions() {
        Map<String, InputPosition> positions = new TreeMap<>();
        topics.forEach((name, topic) -> positions.put(name, topic.position));
        return positions;
    }

    /** Takes the next record of its topic. */
    ArrivalOrder number(InputOffset at, long nowMillis) {
        NumberedTopic topic = topic(at.topic());
        if (at.offset() < topic.nextToRead) {
            forgetCutOff(topic);
        }
        skip(topic, at.offset());
        if (topic.held.isEmpty()) {
            moved.add(at.topic());
        }
        topic.take(at.offset());
        Map.Entry<Long, SequenceBlock> floor = topic.blocks.floorEntry(at.offset());
        SequenceBlock block = floor != null && isUsable(topic, floor.getValue(), at.offset(), nowMillis)
                ? floor.getValue()
                : begin(at, nowMillis);
        return order(block, block.sequenceOf(at.offset()));
    }

    /** The ref of the next record of its topic if an earlier life may have read it. */
    Optional<DocumentRef> refOfEarlierLife(InputOffset at) {
        NumberedTopic topic = topics.get(at.topic());
        if (topic == null || at.offset() < topic.nextToRead) {
            return Optional.empty();
        }
        return Optional.ofNullable(topic.blocks.floorEntry(at.offset()))
                .map(Map.Entry::getValue)
                .filter(block -> block.holdsOffset(at.offset()) && isOfEarlierLife(block.firstSequence()))
                .filter(block -> at.offset() < topic.readEnd)
                .map(block -> new DocumentRef(coordinator, block.sequenceOf(at.offset())));
    }

    /** The topic was cut off: other records stand at these offsets. */
    private void forgetCutOff(NumberedTopic topic) {
        skip(topic, Long.MAX_VALUE);
        List.copyOf(topic.blocks.values()).forEach(block -> remove(topic, block));
        topic.held.clear();
        topic.readEnd = 0;
        topic.decidedEnd = 0;
    }

    /** Notes the numbers that an earlier life may have given to records up to an offset, which are not read again. */
    private void skip(NumberedTopic topic, long toOffset) {
        if (toOffset <= topic.nextToRead) {
            return;
        }
        for (SequenceBlock block : topic.blocks.values()) {
            Long nextBlock = topic.blocks.higherKey(block.firstOffset());
            long to = nextBlock == null ? toOffset : Math.min(toOffset, nextBlock);
            for (long offset = Math.max(topic.nextToRead, block.firstOffset());
                    offset < to && block.holdsOffset(offset);
                    offset++) {
                if (isOfEarlierLife(block.sequenceOf(offset))) {
                    skipped.add(new DocumentRef(coordinator, block.sequenceOf(offset)));
                }
            }
        }
    }

    /** The numbers that the input went past, each told once; some were never given to a record. */
    List<DocumentRef> takeSkipped() {
        List<DocumentRef> taken = List.copyOf(skipped);
        skipped.clear();
        return taken;
    }

    private boolean isUsable(NumberedTopic topic, SequenceBlock block, long offset, long nowMillis) {
        boolean open = isOfEarlierLife(block.firstSequence())
                ? offset < topic.readEnd
                : nowMillis - block.arrivalMillis() < BLOCK_MILLIS;
        return open && block.holdsOffset(offset);
    }

    private SequenceBlock begin(InputOffset at, long nowMillis) {
        SequenceBlock block = new SequenceBlock(at.topic(), at.offset(), freeSequence, Math.max(lastMillis, nowMillis));
        add(block);
        state.begin(block);
        return block;
    }

    private ArrivalOrder order(SequenceBlock block, long sequence) {
        return new ArrivalOrder(block.arrivalMillis(), new DocumentRef(coordinator, sequence));
    }

    /** Whether a sequence number is of a block that was begun before the last start. */
    boolean isOfEarlierLife(long sequence) {
        return sequence < firstSequenceOfThisLife;
    }

    /**
     * The arrival order of a record that an earlier life read and this one has still to read again; empty for any
     * other.
     */
    Optional<ArrivalOrder> stillToCome(DocumentRef ref) {
        if (stoppedWaiting || !isOfEarlierLife(ref.sequence())) {
            return Optional.empty();
        }
        return blockOf(ref)
                .filter(block -> block.offsetOf(ref.sequence()) >= topic(block.topic()).nextToRead)
                .filter(block -> block.offsetOf(ref.sequence()) < end(block.topic()))
                .map(block -> order(block, ref.sequence()));
    }

    /** The topic of a record that an earlier life read, and that may still come. */
    String topicOf(DocumentRef ref) {
        return blockOf(ref).orElseThrow().topic();
    }

    /** Whether the record with this number has not left. */
    boolean hasNotLeft(DocumentRef ref) {
        return blockOf(ref)
                .filter(block ->
                        !isLeft(block, ref) && topic(block.topic()).position.held())
                .isPresent();
    }

    /** Whether nothing has this number now, nor ever will again: its record has left, or is gone. */
    boolean isPast(DocumentRef ref) {
        return ref.sequence() < freeSequence
                && blockOf(ref).filter(block -> !isLeft(block, ref)).isEmpty();
    }

    private boolean isLeft(SequenceBlock block, DocumentRef ref) {
        return block.offsetOf(ref.sequence()) < topic(block.topic()).position.offset();
    }

    private Optional<SequenceBlock> blockOf(DocumentRef ref) {
        return Optional.ofNullable(bySequence.floorEntry(ref.sequence()))
                .map(Map.Entry::getValue)
                .filter(block -> block.holdsOffset(block.offsetOf(ref.sequence())));
    }

    // ---- where it ends

    /** By topic of which something was taken, the offset behind all that was taken or decided in an earlier life. */
    Map<String, Long> decidedEnds() {
        Map<String, Long> decided = new HashMap<>();
        topics.forEach((name, topic) -> decided.put(name, Math.max(topic.nextToRead, topic.decidedEnd)));
        return decided;
    }

    /** Of these topics nothing comes from these offsets on; of the others all does. */
    void endAt(Map<String, Long> offsets) {
        ends = offsets;
    }

    private long end(String topic) {
        return ends.getOrDefault(topic, Long.MAX_VALUE);
    }

    boolean isBehindEnd(InputOffset at) {
        return at.offset() >= end(at.topic());
    }

    /** Whether all before the end was read. */
    boolean isAtEnd(String name) {
        NumberedTopic topic = topics.get(name);
        return topic == null || topic.nextToRead >= end(name);
    }

    /** A record behind the end of its topic has come: what before it was not read again is gone. */
    void passEnd(String name) {
        NumberedTopic topic = topics.get(name);
        if (topic != null && topic.nextToRead < end(name)) {
            skip(topic, end(name));
            topic.nextToRead = end(name);
            if (topic.held.isEmpty()) {
                topic.position = new InputPosition(topic.nextToRead, false);
                moved.add(name);
            }
        }
    }

    /** From now on nothing is waited for. */
    void stopWaiting() {
        stoppedWaiting = true;
    }

    /**
     * Nothing of a topic comes again, which must not be read in this life. What it held is skipped, and the next
     * {@link #endStep} stores that it holds nothing: a later life may read on from the same position.
     */
    void expectNothingAgain(String name) {
        NumberedTopic topic = topic(name);
        if (topic.position.held()) {
            skip(topic, Long.MAX_VALUE);
            topic.position = new InputPosition(topic.position.offset(), false);
            moved.add(name);
        }
        topic.nextToRead = Long.MAX_VALUE;
    }

    /** Nothing of a topic was taken yet, and it begins at this offset; the next {@link #endStep} stores that. */
    void startAt(String name, long offset) {
        topic(name).startAt(offset);
        moved.add(name);
    }

    private NumberedTopic topic(String name) {
        return topics.computeIfAbsent(name, t -> new NumberedTopic());
    }

    /** Notes that a record has left, and those before it; {@link #endStep} stores it. */
    void noteLeft(InputOffset at, DocumentRef ref) {
        Map.Entry<Long, SequenceBlock> block = bySequence.floorEntry(ref.sequence());
        // A record from before the topic was cut off is none of those that are read now: its block is gone.
        if (block != null
                && block.getValue().topic().equals(at.topic())
                && block.getValue().holdsOffset(at.offset())
                && block.getValue().offsetOf(ref.sequence()) == at.offset()) {
            topic(at.topic()).leave(at.offset());
            moved.add(at.topic());
        }
    }

    void endStep() {
        for (String name : moved) {
            NumberedTopic topic = topic(name);
            state.notePosition(name, topic.position);
            forgetBlocksBefore(topic);
        }
        moved.clear();
    }

    /** The last block of a topic stays: it tells which numbers are free. */
    private void forgetBlocksBefore(NumberedTopic topic) {
        while (topic.blocks.size() > 1) {
            SequenceBlock first = topic.blocks.firstEntry().getValue();
            Long secondOffset = topic.blocks.higherKey(first.firstOffset());
            if (secondOffset == null || secondOffset > topic.position.offset()) {
                return;
            }
            remove(topic, first);
        }
    }
}
