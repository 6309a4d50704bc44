package io.neardup.engine.protocol;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How far a coordinator is with a topic, and the numbers of what it took there: the state of {@link SequenceAllocator}.
 */
final class NumberedTopic {
    final NavigableMap<Long, SequenceBlock> blocks = new TreeMap<>();
    /** What lies before it has been read in this life, or had left before it began. */
    long nextToRead;
    /** The offsets of what was taken in this life and has not left. */
    final Deque<Long> held = new ArrayDeque<>();

    /** Of earlier lives, the offset behind the last record that they may have read; 0 if all had left. */
    long readEnd;
    /** The offset behind the last that they decided and that may not have left; 0 if none. */
    long decidedEnd;

    InputPosition position = new InputPosition(0, false);

    /**
     * Goes on after a start.
     *
     * @param noted how far it was; null where that was not noted
     */
    void goOn(@Nullable InputPosition noted, CoordinatorState state) {
        position = noted == null ? new InputPosition(blocks.firstKey(), true) : noted;
        nextToRead = position.offset();
        if (position.read() && !blocks.isEmpty()) {
            readEnd = blocks.lastEntry().getValue().endOffset();
            decidedEnd = endOfDecided(state);
        }
    }

    private long endOfDecided(CoordinatorState state) {
        for (SequenceBlock block : blocks.descendingMap().values()) {
            OptionalLong last = state.lastDecided(block.firstSequence(), block.lastSequence());
            if (last.isPresent()) {
                return block.offsetOf(last.getAsLong()) + 1;
            }
        }
        return 0;
    }

    /** Nothing was taken yet, and it begins at this offset. */
    void startAt(long offset) {
        position = new InputPosition(offset, false);
        nextToRead = offset;
    }

    /** Where nothing is held. */
    private InputPosition ofEarlierLives(long offset) {
        return new InputPosition(offset, offset < decidedEnd, offset < readEnd);
    }

    void take(long offset) {
        if (held.isEmpty()) {
            position = new InputPosition(offset, true);
        }
        held.add(offset);
        nextToRead = offset + 1;
    }

    void leave(long offset) {
        while (!held.isEmpty() && held.element() <= offset) {
            held.remove();
        }
        position = held.isEmpty() ? ofEarlierLives(offset + 1) : new InputPosition(held.element(), true);
    }
}
