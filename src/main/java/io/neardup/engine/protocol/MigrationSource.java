package io.neardup.engine.protocol;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * How a coordinator hands its input over. It fixes, by topic, the first record that it leaves to the successor: behind
 * all that it has taken, and behind all that an earlier life decided and did not release, which may be originals by
 * now. From then on it takes none from there on. What lies before it takes as ever, also again after a restart.
 *
 * <p>What an earlier life read behind the fixed position had no decision. Nobody waits for it any more: the successor
 * judges it, when all originals of this index are among its own.
 *
 * <p>Where the request is undone, the coordinator goes on from there. What was fixed stays noted, as the topics of
 * which nothing was ever taken have no other position of their own.
 *
 * <p>To be called between the steps of the coordinator.
 */
public final class MigrationSource {
    private final CoordinatorState state;
    private final SequenceAllocator numbering;
    private final Originals originals;
    private final ReleaseQueue<?> queue;
    private Collection<String> inputs = Set.of();
    private @Nullable Handover noted;
    private boolean stands;

    MigrationSource(CoordinatorState state, SequenceAllocator numbering, Originals originals, ReleaseQueue<?> queue) {
        this.state = state;
        this.numbering = numbering;
        this.originals = originals;
        this.queue = queue;
        state.handover().ifPresent(this::stand);
    }

    private void stand(Handover handover) {
        noted = handover;
        stands = true;
        Map<String, Long> ends = new HashMap<>(handover.positions());
        // What came to the inputs after all was fixed: nobody has told the successor that something of it was taken.
        inputs.forEach(topic -> ends.putIfAbsent(topic, 0L));
        numbering.endAt(ends);
    }

    private void note(Handover handover) {
        stand(handover);
        state.note(handover);
    }

    /** Names all topics that it takes documents from: those of which no position is fixed are left as a whole. */
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
            beginnings.keySet().removeAll(numbering.positions().keySet());
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
        Map<String, Long> known = numbering.decidedEnds();
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
        numbering.endAt(Map.of());
    }

    /** Whether a record is left to the successor. */
    public boolean isLeft(InputOffset at) {
        return numbering.isBehindEnd(at);
    }

    /** Whether of a topic there is nothing more to be taken. */
    public boolean hasReadAll(String topic) {
        return numbering.isAtEnd(topic);
    }

    /** Whether all that was taken has left, and no original is about to be forgotten by a tombstone. */
    public boolean isDrained() {
        return noted != null
                && stands
                && queue.size() == 0
                && noted.positions().keySet().stream().allMatch(this::hasReadAll)
                && originals.openTakeBack().isEmpty();
    }

    /** Where its event clock stands. */
    public long eventMillis() {
        return originals.clock().millis();
    }

    /** Notes that it was told that all has left. */
    public void noteEmpty() {
        current().ifPresent(fixed -> note(new Handover(fixed.request(), fixed.positions(), true)));
    }
}
