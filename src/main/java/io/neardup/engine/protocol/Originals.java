package io.neardup.engine.protocol;

import io.neardup.engine.protocol.CoordinatorRules.Retention;
import io.neardup.engine.protocol.CoordinatorState.Entry;
import io.neardup.engine.protocol.CoordinatorState.Expiry;
import io.neardup.engine.protocol.CoordinatorState.Tombstone;
import io.neardup.engine.similarity.SketchTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * The originals of a coordinator, as long as they are remembered: until they expire or a tombstone of their key comes.
 * What is remembered no longer may still be in the state until {@link OriginalExpiry} removes it; nobody is judged
 * against it.
 *
 * <p>When an original was last repeated is noted to a hundredth of the retention, so that copies without end cost
 * next to nothing.
 */
final class Originals {
    private static final int NOTES_A_RETENTION = 100;
    /** 16 MB of heap. The sketch of another original is read from the state with its evidence. */
    private static final int SKETCHES_MAX = 1 << 17;

    private final CoordinatorState state;
    private final Retention retention;
    private final EventClock clock;
    private final Map<RecordKey, Tombstone> tombstones = new HashMap<>();
    /** Of those added or asked for of late. */
    private final SketchTable sketches = new SketchTable(SKETCHES_MAX);

    private Expiry expiry;

    Originals(CoordinatorState state, Retention retention) {
        this.state = state;
        this.retention = retention;
        this.expiry = state.expiry();
        this.clock = new EventClock(expiry.eventMillis());
        state.tombstones().forEach(noted -> tombstones.put(noted.key(), noted));
    }

    /**
     * The event time of a coordinator: the {@value #WITNESSES}th highest timestamp of its documents, so that a few
     * absurd ones do not move it, and never after the present. It does not go back.
     */
    static final class EventClock {
        static final int WITNESSES = 5;

        private final PriorityQueue<Long> highest = new PriorityQueue<>();
        private long millis;

        /** @param millis where it stood before, 0 at the very first */
        EventClock(long millis) {
            this.millis = millis;
        }

        /**
         * Takes the timestamp of a document, at least 0.
         *
         * @return the timestamp, but not ahead of this clock where it stands anywhere, else not ahead of the present
         */
        long see(long timestampMillis, long nowMillis) {
            long seen = Math.min(timestampMillis, nowMillis);
            if (highest.size() < WITNESSES) {
                highest.add(seen);
            } else if (seen > highest.element()) {
                highest.remove();
                highest.add(seen);
            }
            if (highest.size() == WITNESSES) {
                millis = Math.max(millis, highest.element());
            }
            return Math.min(timestampMillis, millis > 0 ? millis : nowMillis);
        }

        /** It stands at least here. */
        void advanceTo(long eventMillis) {
            millis = Math.max(millis, eventMillis);
        }

        /** Milliseconds since 1970; 0 while too few documents were seen to tell. */
        long millis() {
            return millis;
        }
    }

    EventClock clock() {
        return clock;
    }

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
     * Reads the sketch of an original from the state, if there is one.
     *
     * @return the bytes of evidence that were read with it
     */
    long loadSketch(DocumentRef ref) {
        Optional<Original> original = state.original(ref);
        original.ifPresent(known -> keepSketch(ref, known));
        return original.map(known -> known.evidence().bytes().length).orElse(0);
    }

    void remove(Entry original) {
        state.removeOriginal(original);
        sketches.remove(original.ref().sequence());
    }

    /** The sketches at hand, by sequence number; others come by {@link #loadSketch}. */
    SketchTable sketches() {
        return sketches;
    }

    /** An original that is remembered. Who asks decides by this: after a crash it is not remembered again. */
    Optional<Original> find(DocumentRef ref) {
        Original original = state.original(ref).orElse(null);
        if (original == null) {
            return Optional.empty();
        }
        Entry entry = original.entry(ref);
        boolean isExpired = isExpired(entry);
        if (isExpired) {
            note(new Expiry(expiry.nextSequence(), clock.millis()));
        }
        return isExpired || hasTombstone(ref, entry.origin()) ? Optional.empty() : Optional.of(original);
    }

    /** As {@link #find}, without a trace. */
    Optional<Original> peek(DocumentRef ref) {
        return state.original(ref).filter(known -> isRemembered(known.entry(ref)));
    }

    /** Whether one is in the state, remembered or not. */
    boolean isKept(DocumentRef ref) {
        return state.hasOriginal(ref);
    }

    boolean isRemembered(Entry entry) {
        return !isExpired(entry) && !hasTombstone(entry.ref(), entry.origin());
    }

    private boolean isExpired(Entry entry) {
        long expiredMax = retention.expiredMax(clock.millis());
        return entry.origin().timestampMillis() <= expiredMax && lastRepeated(entry.ref()) <= expiredMax;
    }

    /** By event time; {@link Long#MIN_VALUE} where repeats do not count. */
    long lastRepeated(DocumentRef ref) {
        return retention.refresh() ? state.lastRepeated(ref) : Long.MIN_VALUE;
    }

    /** Whether a tombstone came after a document under its key. */
    boolean hasTombstone(DocumentRef ref, Origin origin) {
        Tombstone tombstone = tombstones.isEmpty() ? null : tombstones.get(origin.key());
        return tombstone != null && ref.sequence() < tombstone.beforeSequence();
    }

    /** The originals with an id, remembered or not. */
    List<Entry> ofId(String id) {
        return state.originalsNamed(id).stream()
                .flatMap(ref -> state.entry(ref).stream())
                .toList();
    }

    void repeat(DocumentRef ref, Origin origin) {
        if (!retention.refresh() || retention.isForever()) {
            return;
        }
        long known = Math.max(origin.timestampMillis(), state.lastRepeated(ref));
        if (clock.millis() - known > retention.millis() / NOTES_A_RETENTION) {
            state.repeat(ref, clock.millis());
        }
    }

    /**
     * From now on no original of the key before the number is remembered. After a restart an older tombstone can come
     * when a younger one is noted: the greater number counts.
     */
    void keepTombstone(Tombstone tombstone) {
        Tombstone known = tombstones.get(tombstone.key());
        if (known == null || known.beforeSequence() < tombstone.beforeSequence()) {
            tombstones.put(tombstone.key(), tombstone);
            state.note(tombstone);
        }
    }

    void endTombstone(Tombstone tombstone) {
        tombstones.remove(tombstone.key());
        state.forget(tombstone);
    }

    /** Those that are kept. */
    List<Tombstone> openTombstones() {
        return List.copyOf(tombstones.values());
    }
}
