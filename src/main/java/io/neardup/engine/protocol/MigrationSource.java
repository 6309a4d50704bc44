package io.neardup.engine.protocol;

import io.neardup.engine.protocol.DocumentCoordinator.InputOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * How a coordinator hands its input over to a successor. It fixes, by topic, the first record that the successor takes:
 * the one after all that it has taken itself, now or in an earlier epoch. That is final. It goes on with records before
 * that until all of them are released and it is empty.
 *
 * <p>Public methods are to be called between the steps of the coordinator.
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
     * What a coordinator hands over to the successor of its index.
     *
     * @param positions by topic, the offset of the first record handed over, or {@link #NOTHING_TAKEN}. A topic that is
     *     missing is handed over as a whole: it became an input later
     * @param isReportedEmpty whether it has reported that all records before are released
     */
    public record Handover(Map<String, Long> positions, boolean isReportedEmpty) {
        /** For a topic of which no record was ever taken: all that it has is handed over. */
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

    /** What it hands over; empty while there is no handover. */
    public Optional<Handover> current() {
        return Optional.ofNullable(noted);
    }

    /**
     * Fixes the handover: of each topic the next record is the first that is handed over.
     *
     * @param topics all inputs of the coordinator
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

    /** Whether a record is handed over to the successor. */
    public boolean isHandedOver(InputOffset at) {
        return at.offset() >= end(at.topic());
    }

    /** Whether all records of a topic that are not handed over were taken. */
    public boolean hasReadAll(String topic) {
        return sequences.hasRead(topic, end(topic));
    }

    /** A record that is handed over was read: earlier ones of its topic that were not read again are gone. */
    void skipToHandover(String topic) {
        sequences.skipTo(topic, end(topic));
    }

    /** Whether all records taken are released, and no tombstone has originals left to remove. */
    public boolean isDrained() {
        return noted != null
                && queue.size() == 0
                && noted.positions().keySet().stream().allMatch(this::hasReadAll)
                && !originals.hasOpenTombstones();
    }

    public long eventMillis() {
        return originals.clock.millis();
    }

    /** Notes that it has reported that all records are released. */
    public void noteEmpty() {
        current().ifPresent(fixed -> note(new Handover(fixed.positions(), true)));
    }
}
