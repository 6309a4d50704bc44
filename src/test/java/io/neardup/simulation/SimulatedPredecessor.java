package io.neardup.simulation;

import io.neardup.engine.protocol.Decision;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Original;
import io.neardup.engine.protocol.PredecessorChange;
import io.neardup.engine.protocol.PredecessorChange.Completed;
import io.neardup.engine.protocol.PredecessorChange.Inherited;
import io.neardup.engine.protocol.PredecessorChange.Removed;
import io.neardup.engine.protocol.PredecessorChange.Repeated;
import io.neardup.simulation.Invariants.Input;
import io.neardup.streams.store.Cutover;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The changes of the originals of an index that its successor reads: those of each coordinator as they are committed,
 * in order, by the coordinator of the same number, up to the end.
 */
final class SimulatedPredecessor {
    static final String TOPIC = "followed";

    /** Of coordinator 0 the first record; no number of a document or of a record that is not judged. */
    private static final int FIRST_RECORD = -1_000;

    private static final int RECORDS_OF_A_COORDINATOR = 1_000_000;

    private final Corpus corpus;
    private final List<List<Change>> changes = new ArrayList<>();
    private final List<Input> inputs = new ArrayList<>();
    private final Set<Integer> inherited = new HashSet<>();
    private final Set<Integer> marked = new HashSet<>();
    /** What was an original in the end, and when it was last repeated. */
    private final Map<Integer, Long> last = new HashMap<>();

    private boolean isEnded;

    /** @param document that it is of, below 0 for none that begins to be an original */
    record Change(int document, PredecessorChange change) {}

    /** @param corpus as the successor sees the documents */
    SimulatedPredecessor(Corpus corpus, int coordinators) {
        this.corpus = corpus;
        for (int coordinator = 0; coordinator < coordinators; coordinator++) {
            changes.add(new ArrayList<>());
            inputs.add(new Input(coordinator, TOPIC, new ArrayList<>()));
        }
    }

    static boolean isChange(int record) {
        return record <= FIRST_RECORD;
    }

    /** The records of the changes, of all coordinators. */
    List<Input> inputs() {
        return inputs;
    }

    Change change(int coordinator, long offset) {
        return changes.get(coordinator).get((int) offset);
    }

    /** The record of a change has left: a document that was bounded, as of a full bucket, is marked. */
    void noteTaken(int record, Decision decision) {
        int fromFirst = FIRST_RECORD - record;
        int document = change(fromFirst / RECORDS_OF_A_COORDINATOR, fromFirst % RECORDS_OF_A_COORDINATOR)
                .document();
        if (decision instanceof Decision.Unique unique && !unique.bounds().isEmpty()) {
            marked.add(document);
        }
    }

    /** The documents that were bounded when they were taken over. */
    Set<Integer> marked() {
        return marked;
    }

    /** A coordinator commits. */
    void note(int coordinator, SimulatedCoordinatorState before, SimulatedCoordinatorState now) {
        if (isEnded) {
            return; // As the offsets say at which all coordinators were empty.
        }
        now.originals().forEach((ref, original) -> {
            if (!before.originals().containsKey(ref)) {
                note(coordinator, corpus.document(original), inherited(ref, original));
            }
            if (now.lastRepeated(ref) != before.lastRepeated(ref)) {
                note(coordinator, -1, new Repeated(ref, now.lastRepeated(ref)));
            }
        });
        before.originals().keySet().stream()
                .filter(ref -> !now.originals().containsKey(ref))
                .forEach(ref -> note(coordinator, -1, new Removed(ref)));
    }

    private Inherited inherited(DocumentRef ref, Original original) {
        int document = corpus.document(original);
        inherited.add(document);
        return new Inherited(
                new Original(corpus.signed(document), original.origin().takenOverFrom(ref)));
    }

    private void note(int coordinator, int document, PredecessorChange change) {
        List<Change> toCoordinator = changes.get(coordinator);
        inputs.get(coordinator)
                .records()
                .add(FIRST_RECORD - RECORDS_OF_A_COORDINATOR * coordinator - toCoordinator.size());
        toCoordinator.add(new Change(document, change));
    }

    /** All coordinators are empty, with these states. */
    void end(Cutover cutover, List<SimulatedCoordinatorState> states) {
        for (int coordinator = 0; coordinator < states.size(); coordinator++) {
            SimulatedCoordinatorState state = states.get(coordinator);
            state.originals().forEach((ref, original) -> last.put(corpus.document(original), state.lastRepeated(ref)));
            Map<String, Long> starts = new TreeMap<>(cutover.positions().getOrDefault(coordinator, Map.of()));
            starts.replaceAll((topic, position) -> Math.max(0, position));
            long eventMillis = cutover.eventMillis().getOrDefault(coordinator, 0L);
            note(coordinator, -1, new Completed(starts, false, eventMillis));
        }
        isEnded = true;
    }

    /** The documents that ever were originals. */
    Set<Integer> inherited() {
        return inherited;
    }

    /** The documents that are originals in the end, with when they were last repeated, 0 for never. */
    Map<Integer, Long> last() {
        return last;
    }
}
