package io.neardup.engine.protocol;

import io.neardup.engine.protocol.DocumentCoordinator.InputOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * How a coordinator leaves its input to a successor. It fixes, by topic, the first record that it leaves: behind all
 * that it has taken, now or in an earlier epoch. From then on it takes none from there on, for good. What lies before
 * it takes as ever, until all of that is released and it is empty.
 *
 * <p>What is public here is to be called between the steps of the coordinator.
 */
public final class MigrationSource {
    private final CoordinatorState state;
    private final SequenceAllocator sequences;
    private final Originals originals;
    private final ReleaseQueue<?> queue;
    private @Nullable Handover noted;

    MigrationSource(CoordinatorState state, SequenceAllocator sequences, Originals originals, ReleaseQueue<?> queue) {
        this.state = state;
        this.sequences = sequences;
        this.originals = originals;
        this.queue = queue;
        noted = state.handover().orElse(null);
    }

    /**
     * What a coordinator leaves to the successor of its index.
     *
     * @param positions by topic, the offset of the first record that is left, or {@link #NOTHING_TAKEN}. A topic that
     *     is not there is left as a whole: it came to the inputs later
     * @param isReportedEmpty whether it has reported that all before is released
     */
    public record Handover(Map<String, Long> positions, boolean isReportedEmpty) {
        /** Of a topic of which no record was ever taken: the first is left that is there. */
        public static final long NOTHING_TAKEN = -1;

        public Handover {
            positions = Map.copyOf(positions);
        }
    }

    private void note(Handover handover) {
        noted = handover;
        state.note(handover);
    }

    private long end(String topic) {
        return noted == null ? Long.MAX_VALUE : noted.positions().getOrDefault(topic, 0L);
    }

    /** What it leaves; empty where it takes all. */
    public Optional<Handover> current() {
        return Optional.ofNullable(noted);
    }

    /**
     * Takes no record from here on.
     *
     * @param topics all that the coordinator takes documents from
     * @param beginning of a topic of which nothing was ever taken: an offset, or {@link Handover#NOTHING_TAKEN}
     */
    public void fix(Collection<String> topics, ToLongFunction<String> beginning) {
        Map<String, Long> known = sequences.readEnds();
        Map<String, Long> positions = new HashMap<>();
        for (String topic : topics) {
            Long position = known.get(topic);
            positions.put(topic, position == null ? beginning.applyAsLong(topic) : position);
        }
        note(new Handover(positions, false));
    }

    /** Whether a record is left to the successor. */
    public boolean isLeft(InputOffset at) {
        return at.offset() >= end(at.topic());
    }

    /** Whether of a topic there is nothing more to be taken. */
    public boolean hasReadAll(String topic) {
        return sequences.hasRead(topic, end(topic));
    }

    /** A record that is left has come: what of its topic was not read again before it is gone. */
    void leave(String topic) {
        sequences.skipTo(topic, end(topic));
    }

    /** Whether all that was taken is released, and no tombstone has originals left to remove. */
    public boolean isDrained() {
        return noted != null
                && queue.size() == 0
                && noted.positions().keySet().stream().allMatch(this::hasReadAll)
                && !originals.hasOpenTombstones();
    }

    public long eventMillis() {
        return originals.clock.millis();
    }

    /** Notes that it has reported that all is released. */
    public void noteEmpty() {
        current().ifPresent(fixed -> note(new Handover(fixed.positions(), true)));
    }
}
