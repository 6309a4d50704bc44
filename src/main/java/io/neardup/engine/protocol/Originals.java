package io.neardup.engine.protocol;

import io.neardup.engine.protocol.CoordinatorState.Entry;
import io.neardup.engine.protocol.CoordinatorState.Expiry;
import io.neardup.engine.similarity.SketchTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The originals of a coordinator, as long as they are remembered: until they expire or a tombstone takes them back.
 * What is remembered no longer may still be in the state until {@link Forgetting} removes it; nobody is judged against
 * it.
 *
 * <p>When an original was last repeated is noted to a hundredth of the retention, so that copies without end cost
 * next to nothing.
 */
final class Originals {
    private static final int NOTES_A_RETENTION = 100;

    private final CoordinatorState state;
    private final Retention retention;
    private final EventClock clock;
    private final Map<RecordKey, Tombstone> takeBacks = new HashMap<>();
    /** Of those added or asked for since the start. */
    private final SketchTable sketches = new SketchTable();

    private Expiry expiry;

    Originals(CoordinatorState state, Retention retention) {
        this.state = state;
        this.retention = retention;
        this.expiry = state.expiry();
        this.clock = new EventClock(expiry.eventMillis());
        state.takeBacks().forEach(noted -> takeBacks.put(noted.key(), noted));
    }

    /** Event time. */
    EventClock clock() {
        return clock;
    }

    /** How far they have expired. */
    Expiry expiry() {
        return expiry;
    }

    void note(Expiry now) {
        if (!now.equals(expiry)) {
            expiry = now;
            state.noteExpiry(now);
        }
    }

    /** The clock goes on from where that of another index stood, of which the originals are. */
    void goOnFrom(long eventMillis) {
        clock.advanceTo(eventMillis);
        note(new Expiry(expiry.nextSequence(), clock.millis()));
    }

    void add(DocumentRef ref, Original original) {
        state.addOriginal(ref, original);
        keepSketch(ref, original);
        if (ref.sequence() < expiry.nextSequence()) {
            note(new Expiry(ref.sequence(), expiry.eventMillis()));
        }
    }

    private void keepSketch(DocumentRef ref, Original original) {
        if (!original.sketch().isNone()) {
            sketches.put(ref.sequence(), original.sketch());
        }
    }

    /**
     * Reads the sketch of an original of an earlier life, if there is one.
     *
     * @return the bytes of evidence that were read with it
     */
    long loadSketch(DocumentRef ref) {
        Optional<Original> original = state.original(ref);
        original.ifPresent(known -> keepSketch(ref, known));
        return original.map(known -> known.evidence().bytes().length).orElse(0);
    }

    /** An original is none any more. */
    void remove(Entry original) {
        state.removeOriginal(original);
        sketches.remove(original.ref().sequence());
    }

    /** The sketches at hand, by sequence number: not of those of an earlier life before {@link #loadSketch}. */
    SketchTable sketches() {
        return sketches;
    }

    /** An original that is remembered. */
    Optional<Original> find(DocumentRef ref) {
        return state.original(ref).filter(known -> isRemembered(known.entry(ref)));
    }

    /** Whether one is in the state, remembered or not. */
    boolean isKept(DocumentRef ref) {
        return state.hasOriginal(ref);
    }

    /** As {@link #find}, without a trace. */
    Optional<Original> peek(DocumentRef ref) {
        return state.original(ref).filter(known -> !isExpired(known.entry(ref)) && !isTakenBack(known.entry(ref)));
    }

    private boolean isRemembered(Entry entry) {
        if (isExpired(entry)) {
            // Who asks decides by this answer: after a crash the original must not be remembered again.
            note(new Expiry(expiry.nextSequence(), clock.millis()));
            return false;
        }
        return !isTakenBack(entry);
    }

    private boolean isExpired(Entry entry) {
        long expiredMax = retention.expiredMax(clock.millis());
        return entry.origin().timestampMillis() <= expiredMax && lastRepeated(entry.ref()) <= expiredMax;
    }

    /** By event time; {@link Long#MIN_VALUE} where repeats do not count. */
    long lastRepeated(DocumentRef ref) {
        return retention.refresh() ? state.lastRepeated(ref) : Long.MIN_VALUE;
    }

    private boolean isTakenBack(Entry entry) {
        return isTakenBack(entry.ref(), entry.origin());
    }

    /** Whether a tombstone whose work is not done takes a document back. */
    boolean isTakenBack(DocumentRef ref, Origin origin) {
        Tombstone takeBack = takeBacks.isEmpty() ? null : takeBacks.get(origin.key());
        return takeBack != null && ref.sequence() < takeBack.beforeSequence();
    }

    /** The originals with an id that came before a record, remembered or not. */
    List<Entry> ofIdBefore(String id, long sequence) {
        return ofId(id).filter(entry -> entry.ref().sequence() < sequence).toList();
    }

    /** Whether one that is remembered has an id and came after a record. */
    boolean hasOfIdAfter(String id, long sequence) {
        return ofId(id).anyMatch(
                        entry -> entry.ref().sequence() > sequence && !isExpired(entry) && !isTakenBack(entry));
    }

    private Stream<Entry> ofId(String id) {
        return state.originalsNamed(id).stream().flatMap(ref -> state.entry(ref).stream());
    }

    boolean hasRemembered(List<Entry> entries) {
        return entries.stream().anyMatch(entry -> !isExpired(entry) && !isTakenBack(entry));
    }

    /** Notes that an original is repeated now. */
    void repeat(DocumentRef ref, Original original) {
        if (!retention.refresh() || retention.isForever()) {
            return;
        }
        long known = Math.max(original.origin().timestampMillis(), state.lastRepeated(ref));
        if (clock.millis() - known > retention.millis() / NOTES_A_RETENTION) {
            state.repeat(ref, clock.millis());
        }
    }

    /**
     * From now on no original of the key before the number is remembered. After a restart an older tombstone can
     * come when the note of a younger one is known: the greater number counts.
     */
    void takeBack(Tombstone takeBack) {
        Tombstone known = takeBacks.get(takeBack.key());
        if (known == null || known.beforeSequence() < takeBack.beforeSequence()) {
            takeBacks.put(takeBack.key(), takeBack);
            state.note(takeBack);
        }
    }

    /** All that it takes back is removed. */
    void endTakeBack(Tombstone takeBack) {
        takeBacks.remove(takeBack.key());
        state.forget(takeBack);
    }

    /** One of those that are not at their end; empty if there is none. */
    Optional<Tombstone> openTakeBack() {
        return takeBacks.values().stream().findFirst();
    }
}
