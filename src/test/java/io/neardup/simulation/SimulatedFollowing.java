package io.neardup.simulation;

import io.neardup.protocol.Decision;
import io.neardup.protocol.Followed;
import io.neardup.protocol.Followed.Completed;
import io.neardup.protocol.Followed.Inherited;
import io.neardup.protocol.Followed.LetGo;
import io.neardup.protocol.Followed.Refreshed;
import io.neardup.protocol.Origin;
import io.neardup.protocol.Original;
import io.neardup.protocol.Ref;
import io.neardup.simulation.Invariants.Input;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What an index tells its successor of its originals: what each home changed is told when it is committed, in order,
 * and to the home of the same number, up to the end.
 */
final class SimulatedFollowing {
    static final String TOPIC = "followed";

    /** Of home 0 the first record; no number of a document or of a record that is not judged. */
    private static final int FIRST_RECORD = -1_000;

    private static final int RECORDS_OF_A_HOME = 1_000_000;

    private final Corpus corpus;
    private final List<List<Told>> told = new ArrayList<>();
    private final List<Input> inputs = new ArrayList<>();
    private final Set<Integer> inherited = new HashSet<>();
    private final Set<Integer> marked = new HashSet<>();
    /** What was an original in the end, and when it was last repeated. */
    private final Map<Integer, Long> last = new HashMap<>();

    private boolean isEnded;

    /** @param document that it is of, below 0 for none that begins to be an original */
    record Told(int document, Followed followed) {}

    /** @param corpus as the successor sees the documents */
    SimulatedFollowing(Corpus corpus, int homes) {
        this.corpus = corpus;
        for (int home = 0; home < homes; home++) {
            told.add(new ArrayList<>());
            inputs.add(new Input(home, TOPIC, new ArrayList<>()));
        }
    }

    static boolean isFollowed(int record) {
        return record <= FIRST_RECORD;
    }

    /** The records that tell it, of all homes. */
    List<Input> inputs() {
        return inputs;
    }

    Told told(int home, long offset) {
        return told.get(home).get((int) offset);
    }

    /** A record that tells it has left: a document that was left out something, as of a full bucket, is marked. */
    void noteTaken(int record, Decision decision) {
        int fromFirst = FIRST_RECORD - record;
        int document = told(fromFirst / RECORDS_OF_A_HOME, fromFirst % RECORDS_OF_A_HOME)
                .document();
        if (decision instanceof Decision.Unique unique && !unique.bounds().isEmpty()) {
            marked.add(document);
        }
    }

    /** The documents that were left out something when they were taken over. */
    Set<Integer> marked() {
        return marked;
    }

    /** A home commits. */
    void tell(int home, SimulatedHomeState before, SimulatedHomeState now) {
        if (isEnded) {
            return; // As the offsets say at which all homes were empty.
        }
        now.originals().forEach((ref, original) -> {
            if (!before.originals().containsKey(ref)) {
                tell(home, corpus.document(original), inherited(ref, original));
            }
            if (now.lastRepeated(ref) != before.lastRepeated(ref)) {
                tell(home, -1, new Refreshed(ref, now.lastRepeated(ref)));
            }
        });
        before.originals().keySet().stream()
                .filter(ref -> !now.originals().containsKey(ref))
                .forEach(ref -> tell(home, -1, new LetGo(ref)));
    }

    private Inherited inherited(Ref ref, Original original) {
        int document = corpus.document(original);
        inherited.add(document);
        Origin origin = original.origin();
        return new Inherited(corpus.signed(document), new Origin(origin.key(), origin.timestampMillis(), ref));
    }

    private void tell(int home, int document, Followed followed) {
        List<Told> toHome = told.get(home);
        inputs.get(home).records().add(FIRST_RECORD - RECORDS_OF_A_HOME * home - toHome.size());
        toHome.add(new Told(document, followed));
    }

    /**
     * All homes are empty.
     *
     * @param starts by home and topic
     * @param eventMillis by home, where its clock stands
     */
    void end(List<Map<String, Long>> starts, List<SimulatedHomeState> states, Map<Integer, Long> eventMillis) {
        for (int home = 0; home < starts.size(); home++) {
            SimulatedHomeState state = states.get(home);
            state.originals().forEach((ref, original) -> last.put(corpus.document(original), state.lastRepeated(ref)));
            tell(home, -1, new Completed(starts.get(home), false, eventMillis.getOrDefault(home, 0L)));
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
