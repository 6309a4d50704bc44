package io.neardup.engine.protocol;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.CoordinatorRules.Retention;
import io.neardup.engine.protocol.CoordinatorRules.Slice;
import io.neardup.engine.protocol.CoordinatorState.Entry;
import io.neardup.engine.protocol.CoordinatorState.Expiry;
import io.neardup.engine.protocol.CoordinatorState.RefreshedExpiry;
import io.neardup.engine.protocol.CoordinatorState.Tombstone;
import io.neardup.engine.protocol.DocumentCoordinator.Outbox;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.SketchTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The originals of a coordinator. They are remembered until they expire or a tombstone of their key comes. From then on
 * no document is compared with them; they are removed from the state and the buckets in slices, one a step (but see
 * {@link #removeReleased}).
 *
 * <p>They expire in the order of their sequence numbers. If one is added that expiry has passed already, as it was
 * pending for long, expiry goes back to it. One that was repeated, and so outlives its own timestamp, gets a
 * {@linkplain RefreshedExpiry refreshed expiry} when its turn comes; so does one that is dated more than a retention
 * ahead of the clock, as it would hold up all behind it. So originals stay for two retentions at the most, but for
 * those dated ahead of the clock: four at a time, and four more for each start.
 */
final class Originals {
    /** How often in a retention the last repeat of an original is noted at most: endless copies cost nothing. */
    private static final int NOTES_A_RETENTION = 100;

    private final CoordinatorState state;
    private final SequenceAllocator sequences;
    private final ReleaseQueue<?> queue;
    private final Partitions partitions;
    private final Outbox<?> outbox;
    private final CoordinatorRules rules;
    private final Slice slice;
    final EventClock clock;
    private final Map<RecordKey, Tombstone> tombstones = new LinkedHashMap<>();
    /** By sequence number, of originals and pending documents that came or were asked for recently. */
    final SketchTable sketches;

    /** Of which the sketch was read last: it is mostly compared next. */
    private @Nullable DocumentRef loadedRef;

    private Optional<Original> loaded = Optional.empty();

    private Expiry expiry;

    /** The open tombstone of which more is to be removed, from a number on. There is one at most: it is the first. */
    private @Nullable Tombstone begun;

    private long begunNext;

    // See CoordinatorCounts.
    long removed;
    long expired;

    Originals(
            CoordinatorRules rules,
            CoordinatorState state,
            SequenceAllocator sequences,
            ReleaseQueue<?> queue,
            Partitions partitions,
            Outbox<?> outbox) {
        this.state = state;
        this.sequences = sequences;
        this.queue = queue;
        this.partitions = partitions;
        this.outbox = outbox;
        this.rules = rules;
        this.slice = rules.bounds().removedSlice();
        this.sketches = new SketchTable(rules.bounds().sketchesMax());
        this.expiry = state.expiry();
        this.clock = new EventClock(expiry.eventMillis());
        state.tombstones().forEach(noted -> tombstones.put(noted.key(), noted));
    }

    /**
     * The event time of a coordinator: the {@value #WITNESSES}th highest timestamp of its documents, so that a few
     * absurd ones do not move it, and never after the present. It does not go back. As a fifth document moves it, no
     * more than four of those since the start are ahead of it.
     */
    static final class EventClock {
        static final int WITNESSES = 5;

        private final PriorityQueue<Long> highest = new PriorityQueue<>();
        private long millis;

        EventClock(long millis) {
            this.millis = millis;
        }

        /**
         * Moves the clock by a timestamp; returns that, cut to the present. It may be ahead of the clock, which stands
         * still in a pause: cut to that, the first documents after the pause would be as old as the last before it.
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
            return seen;
        }

        void advanceTo(long eventMillis) {
            millis = Math.max(millis, eventMillis);
        }

        /** Milliseconds since 1970; 0 while too few documents were seen to tell. */
        long millis() {
            return millis;
        }
    }

    private void note(Expiry now) {
        if (!now.equals(expiry)) {
            expiry = now;
            state.noteExpiry(now);
        }
    }

    /** Moves the clock on to where that of another index stood. */
    void advanceClockTo(long eventMillis) {
        clock.advanceTo(eventMillis);
        note(new Expiry(expiry.nextSequence(), clock.millis()));
    }

    void add(DocumentRef ref, Original original) {
        forgetLoaded();
        state.addOriginal(ref, original);
        if (ref.sequence() < expiry.nextSequence()) {
            note(new Expiry(ref.sequence(), expiry.eventMillis()));
        }
    }

    void keepSketch(DocumentRef ref, SignedDocument document) {
        BitSketch sketch = document.sketch();
        if (!sketch.isNone()) {
            sketches.put(ref.sequence(), sketch);
        }
    }

    /** Reads the sketch of an original, if it is known; returns the bytes of evidence that were read with it. */
    long loadSketch(DocumentRef ref) {
        loaded = state.original(ref);
        loadedRef = ref;
        loaded.ifPresent(known -> keepSketch(ref, known.document()));
        return loaded.map(known -> known.document().evidence().bytes().length).orElse(0);
    }

    private void forgetLoaded() {
        loadedRef = null;
        loaded = Optional.empty();
    }

    private Optional<Original> read(DocumentRef ref) {
        return ref.equals(loadedRef) ? loaded : state.original(ref);
    }

    /** An original that is remembered. If it has expired, the clock is stored, so that this outlives a crash. */
    Optional<Original> find(DocumentRef ref) {
        Optional<Original> known = read(ref);
        if (known.filter(original -> isExpired(original.entry(ref))).isPresent()) {
            note(new Expiry(expiry.nextSequence(), clock.millis()));
            return Optional.empty();
        }
        return known.filter(original -> !hasTombstone(ref, original.origin()));
    }

    /** As {@link #find}, without a change of the state. */
    Optional<Original> peek(DocumentRef ref) {
        return read(ref).filter(known -> isRemembered(known.entry(ref)));
    }

    /** Whether an original is in the state, remembered or not. */
    boolean isKept(DocumentRef ref) {
        return state.entry(ref).isPresent();
    }

    boolean isRemembered(Entry entry) {
        return !isExpired(entry) && !hasTombstone(entry.ref(), entry.origin());
    }

    private boolean isExpired(Entry entry) {
        long expiredMax = rules.retention().expiredMax(clock.millis());
        return entry.origin().timestampMillis() <= expiredMax && lastRepeated(entry.ref()) <= expiredMax;
    }

    /** By event time; {@link Long#MIN_VALUE} if repeats do not count. */
    private long lastRepeated(DocumentRef ref) {
        return rules.retention().refresh() ? state.lastRepeated(ref) : Long.MIN_VALUE;
    }

    /** Whether a tombstone came after a document under its key. */
    boolean hasTombstone(DocumentRef ref, Origin origin) {
        Tombstone tombstone = tombstones.isEmpty() ? null : tombstones.get(origin.key());
        return tombstone != null && ref.sequence() < tombstone.beforeSequence();
    }

    /** The originals with an id, remembered or not. */
    List<Entry> withId(String id) {
        return state.originalsWithId(id);
    }

    void noteRepeat(DocumentRef ref, Origin origin) {
        if (rules.reportsEnds() && state.lastRepeated(ref) == 0) {
            state.noteRepeat(ref, Math.max(1, clock.millis()));
            return;
        }
        Retention retention = rules.retention();
        if (!retention.refresh() || retention.isForever()) {
            return;
        }
        long known = Math.max(origin.timestampMillis(), state.lastRepeated(ref));
        if (clock.millis() - known > retention.millis() / NOTES_A_RETENTION) {
            state.noteRepeat(ref, clock.millis());
        }
    }

    // ---- an original ends

    void remove(Entry original) {
        forgetLoaded();
        if (state.removeOriginal(original) && rules.reportsEnds()) {
            outbox.ended(original.origin().provenance());
        }
        sketches.remove(original.ref().sequence());
        removed++;
        queue.noteUnique(original.ref());
        removeFromBuckets(original.ref(), original.keys());
    }

    void removeFromBuckets(DocumentRef document, BandKeys keys) {
        for (Partitions.Share share : partitions.split(keys)) {
            outbox.toIndex(share.indexPartition(), new Message.Remove(document, share.keys()));
        }
    }

    /** Undoes the decision, if there is one, on a record that is not released as decided. */
    void withdraw(DocumentRef ref) {
        state.entry(ref).ifPresent(this::remove);
        state.forgetDecision(ref);
    }

    // ---- tombstones

    /**
     * Removes the originals of a key with smaller numbers, those beyond a slice in later steps. Documents that are
     * pending, or arrive again, will not become originals.
     */
    void removeBefore(RecordKey key, long sequence) {
        Tombstone tombstone = new Tombstone(key, sequence);
        if (isFull(removeSlice(tombstone, 0)) || sequences.isInFlightBefore(sequence)) {
            keepTombstone(tombstone);
        }
    }

    /**
     * From now on no original of the key with a smaller number is remembered. After a restart an older tombstone can
     * arrive after a younger one was noted: the greater number counts.
     */
    private void keepTombstone(Tombstone tombstone) {
        Tombstone known = tombstones.get(tombstone.key());
        if (known == null || known.beforeSequence() < tombstone.beforeSequence()) {
            tombstones.put(tombstone.key(), tombstone);
            state.note(tombstone);
        }
    }

    /**
     * Removes the originals of a key that were released before its tombstone although their numbers are greater: after
     * a restart those of another topic can be. That is rare, and done in one step.
     */
    void removeReleased(RecordKey key, DocumentRef tombstone) {
        long next = tombstone.sequence();
        List<Entry> read;
        do {
            read = state.originalsOf(key, next, DocumentRef.SEQUENCE_MAX, slice);
            for (Entry original : read) {
                next = original.ref().sequence() + 1;
                if (!sequences.isInFlight(original.ref())) {
                    remove(original);
                }
            }
        } while (isFull(read));
    }

    private List<Entry> removeSlice(Tombstone tombstone, long fromSequence) {
        List<Entry> found = state.originalsOf(tombstone.key(), fromSequence, tombstone.beforeSequence(), slice);
        found.forEach(this::remove);
        return found;
    }

    /**
     * Returns whether there may be more. It goes on behind the slice before, as passing what was removed takes time,
     * and looks from the first number once more when no more come.
     */
    private boolean removeNextSlice(Tombstone open) {
        long from = open.equals(begun) ? begunNext : 0;
        List<Entry> found = removeSlice(open, from);
        if (isFull(found)) {
            begun = open;
            begunNext = found.get(found.size() - 1).ref().sequence() + 1;
            return true;
        }
        if (from == 0) {
            return false;
        }
        begun = null;
        return isFull(removeSlice(open, 0));
    }

    boolean hasOpenTombstones() {
        return !tombstones.isEmpty();
    }

    // ---- slices

    /** Removes the next slice of each kind; returns whether there may be more. */
    boolean removeNext() {
        boolean moreOfTombstones = removeOfTombstones();
        return expire() || moreOfTombstones;
    }

    /**
     * Looks at as many tombstones as it may remove originals. One that stays open goes to the end. Returns whether
     * something was done, and there are more.
     */
    private boolean removeOfTombstones() {
        long removedMax = removed + slice.originals();
        List<Tombstone> looked =
                tombstones.values().stream().limit(slice.originals()).toList();
        boolean areMore = looked.size() < tombstones.size();
        boolean isAnyClosed = false;
        for (Tombstone open : looked) {
            if (removeNextSlice(open) || removed >= removedMax) {
                return true;
            }
            tombstones.remove(open.key());
            if (!sequences.isInFlightBefore(open.beforeSequence())) {
                state.forget(open);
                isAnyClosed = true;
            } else {
                tombstones.put(open.key(), open);
            }
        }
        return areMore && isAnyClosed;
    }

    private boolean expire() {
        if (rules.retention().isForever()) {
            return false;
        }
        long eventMillis = clock.millis();
        long expiredMax = rules.retention().expiredMax(eventMillis);
        long next = expiry.nextSequence();
        List<Entry> inOrder =
                state.originalsFrom(next, millis -> millis <= expiredMax || isFarAhead(millis, eventMillis), slice);
        for (Entry original : inOrder) {
            removeOrRefresh(original, expiredMax);
            next = original.ref().sequence() + 1;
        }
        boolean moreRefreshed = expireRefreshed(expiredMax);
        note(new Expiry(next, eventMillis));
        return isFull(inOrder) || moreRefreshed;
    }

    /** By more than a retention: as of seeds, and of the first documents after a long pause. */
    private boolean isFarAhead(long millis, long eventMillis) {
        return eventMillis > 0 && millis - rules.retention().millis() > eventMillis;
    }

    private boolean expireRefreshed(long expiredMax) {
        int looked = 0;
        long bytes = 0;
        for (RefreshedExpiry refreshed : state.refreshed(expiredMax, slice.originals())) {
            state.forget(refreshed);
            Entry original = state.entry(refreshed.ref()).orElse(null);
            if (original != null) {
                removeOrRefresh(original, expiredMax);
                bytes += original.bytes();
            }
            if (slice.isFull(++looked, bytes)) {
                return true;
            }
        }
        return false;
    }

    private void removeOrRefresh(Entry original, long expiredMax) {
        long fromMillis = Math.max(original.origin().timestampMillis(), lastRepeated(original.ref()));
        if (fromMillis > expiredMax) {
            state.note(new RefreshedExpiry(original.ref(), fromMillis));
        } else {
            expired++;
            remove(original);
        }
    }

    private boolean isFull(List<Entry> read) {
        return slice.isFull(read.size(), read.stream().mapToLong(Entry::bytes).sum());
    }
}
