package io.neardup.engine.protocol;

import io.neardup.engine.protocol.DocumentCoordinator.InputOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * How a coordinator leaves its input to a successor. It fixes, by topic, the first record that it leaves: behind all
 * that it has taken, and behind all that an earlier epoch decided and did not release, which may be originals by now.
 * From then on it takes none from there on. What lies before it takes as ever, also again after a restart.
 *
 * <p>What an earlier epoch read behind the fixed position had no decision. Nobody waits for it any more: the successor
 * judges it, when all originals of this index are among its own.
 *
 * <p>Where the request is undone, the coordinator goes on from there. What was fixed stays noted, as the topics of
 * which nothing was ever taken have no other position of their own.
 *
 * <p>To be called between the steps of the coordinator.
 */
public final class MigrationSource {
    private final CoordinatorState state;
    private final SequenceAllocator sequences;
    private final Originals originals;
    private final ReleaseQueue<?> queue;
    private Collection<String> inputs = Set.of();
    private @Nullable Handover noted;
    private boolean stands;

    MigrationSource(CoordinatorState state, SequenceAllocator sequences, Originals originals, ReleaseQueue<?> queue) {
        this.state = state;
        this.sequences = sequences;
        this.originals = originals;
        this.queue = queue;
        state.handover().ifPresent(this::stand);
    }

    /**
     * What a coordinator leaves to the successor of its index.
     *
     * @param request the cutover that asked for it
     * @param positions by topic, the offset of the first record that is left, or {@link #BEGINNING}
     * @param isEmpty whether it has reported that all before is released
     */
    public record Handover(String request, Map<String, Long> positions, boolean isEmpty) {
        /** The first record that is there: of a topic of which none was ever taken. */
        public static final long BEGINNING = -1;

        public Handover {
            positions = Map.copyOf(positions);
        }
    }

    private void stand(Handover handover) {
        noted = handover;
        stands = true;
        Map<String, Long> ends = new HashMap<>(handover.positions());
        // What came to the inputs after all was fixed: the successor does not know that something of it was taken.
        inputs.forEach(topic -> ends.putIfAbsent(topic, 0L));
        sequences.endAt(ends);
    }

    private void note(Handover handover) {
        stand(handover);
        state.note(handover);
    }

    /** All topics that it takes documents from: those of which no position is fixed are left as a whole. */
    public void takeFrom(Collection<String> topics) {
        inputs = Set.copyOf(topics);
        if (noted != null && stands) {
            stand(noted);
        }
    }

    /** What was fixed last, whether it stands or was undone. */
    public Optional<Handover> last() {
        return Optional.ofNullable(noted);
    }

    /** What it leaves; empty where it takes all. */
    public Optional<Handover> current() {
        return stands ? Optional.ofNullable(noted) : Optional.empty();
    }

    /** By topic of which nothing was ever taken, where it begins all the same, by what was fixed once. */
    public Map<String, Long> beginnings() {
        Map<String, Long> beginnings = new HashMap<>();
        if (noted != null) {
            beginnings.putAll(noted.positions());
            beginnings.keySet().removeAll(sequences.positions().keySet());
        }
        return beginnings;
    }

    /**
     * Takes no record from here on.
     *
     * @param topics all that the coordinator takes documents from
     * @param beginning of a topic of which nothing was ever taken: an offset, or {@link Handover#BEGINNING}
     * @return what it leaves
     */
    public Handover fix(String request, Collection<String> topics, ToLongFunction<String> beginning) {
        Map<String, Long> known = sequences.decidedEnds();
        Map<String, Long> beginnings = beginnings();
        Map<String, Long> positions = new HashMap<>();
        for (String topic : topics) {
            Long position = known.getOrDefault(topic, beginnings.get(topic));
            positions.put(topic, position == null ? beginning.applyAsLong(topic) : position);
        }
        Handover fixed = new Handover(request, positions, false);
        note(fixed);
        return fixed;
    }

    /** Takes records again, from what was fixed on: the request was undone. */
    public void resume() {
        stands = false;
        sequences.endAt(Map.of());
    }

    /** Whether a record is left to the successor. */
    public boolean isLeft(InputOffset at) {
        return sequences.isBehindEnd(at);
    }

    /** Whether of a topic there is nothing more to be taken. */
    public boolean hasReadAll(String topic) {
        return sequences.isAtEnd(topic);
    }

    /** Whether all that was taken is released, and no tombstone has originals left to remove. */
    public boolean isDrained() {
        return noted != null
                && stands
                && queue.size() == 0
                && noted.positions().keySet().stream().allMatch(this::hasReadAll)
                && originals.openTombstone().isEmpty();
    }

    /** Where its event clock stands. */
    public long eventMillis() {
        return originals.clock().millis();
    }

    /** Notes that it has reported that all is released. */
    public void noteEmpty() {
        current().ifPresent(fixed -> note(new Handover(fixed.request(), fixed.positions(), true)));
    }
}
