package io.neardup.engine.protocol;

import io.neardup.engine.protocol.CoordinatorState.Entry;
import io.neardup.engine.protocol.CoordinatorState.Expiry;
import io.neardup.engine.protocol.CoordinatorState.SetAside;
import io.neardup.engine.protocol.StepBounds.Slice;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How a coordinator forgets originals, a slice a step: those whose time has come, and those that a tombstone takes
 * back. An original that is forgotten leaves the state and the buckets; what was decided on its own record stays so.
 *
 * <p>They expire in the order of their numbers. An original that is added late, as it was pending for long, has a
 * number behind which expiry has gone: expiry goes back to it. One that outlives its own timestamp, as it was repeated,
 * is set aside when its turn comes, and expires in the order of the repeats.
 */
final class Forgetting {
    private final CoordinatorState state;
    private final Originals originals;
    private final ReleaseQueue<?> queue;
    private final Partitions partitions;
    private final CoordinatorMail mail;
    private final Retention retention;
    private final Slice slice;

    /** By record key, the tombstones that are held. */
    private final SequencesByKey<RecordKey> tombstones = new SequencesByKey<>();

    private final Map<DocumentRef, RecordKey> keysOfTombstones = new HashMap<>();
    private long forgotten;
    private long expired;

    Forgetting(
            CoordinatorRules rules,
            CoordinatorState state,
            Originals originals,
            ReleaseQueue<?> queue,
            Partitions partitions,
            CoordinatorMail mail) {
        this.retention = rules.retention();
        this.slice = rules.bounds().forgetMax();
        this.state = state;
        this.originals = originals;
        this.queue = queue;
        this.partitions = partitions;
        this.mail = mail;
    }

    /** How many originals were forgotten since the start. */
    long forgotten() {
        return forgotten;
    }

    /** How many of these expired. */
    long expired() {
        return expired;
    }

    void forget(Entry entry) {
        originals.remove(entry);
        forgotten++;
        queue.keepUnique(entry.ref());
        mail.remove(entry.ref(), partitions.split(entry.keys()));
    }

    /** Undoes what was decided, if anything, on a record that does not leave as that. */
    void forgetDecided(DocumentRef ref) {
        state.entry(ref).ifPresent(this::forget);
        state.decision(ref).ifPresent(decision -> state.forgetDecision(ref));
    }

    // ---- tombstones

    /**
     * A tombstone is held: what came before it under its key is forgotten, what is more than a slice in later steps.
     */
    void takeBack(RecordKey key, DocumentRef tombstone) {
        tombstones.add(key, tombstone.sequence());
        keysOfTombstones.put(tombstone, key);
        takeBackBefore(key, tombstone.sequence());
    }

    /** Forgets the originals of a key that came before a number, what is more than a slice in later steps. */
    void takeBackBefore(RecordKey key, long sequence) {
        Tombstone takeBack = new Tombstone(key, sequence);
        if (forgetSlice(takeBack)) {
            originals.takeBack(takeBack);
        }
    }

    /** Whether a tombstone takes a pending document back, which came before it. */
    boolean isTakenBack(PendingDocument document) {
        DocumentRef ref = document.ref();
        RecordKey key = document.origin().key();
        return tombstones.after(key, ref.sequence()).isPresent() || originals.isTakenBack(ref, document.origin());
    }

    /** Notes that a record has left. */
    void noteLeft(DocumentRef ref) {
        RecordKey key = keysOfTombstones.remove(ref);
        if (key != null) {
            tombstones.remove(key, ref.sequence());
        }
    }

    /** Returns whether there may be more. */
    private boolean forgetSlice(Tombstone takeBack) {
        List<Entry> found = state.originalsOf(takeBack.key(), takeBack.beforeSequence(), slice);
        found.forEach(this::forget);
        return slice.isFull(found);
    }

    // ---- slices

    /**
     * Forgets the next slice of each kind.
     *
     * @return whether there may be more
     */
    boolean forgetNext() {
        boolean moreTakenBack = goOnTakingBack();
        return expire() || moreTakenBack;
    }

    private boolean goOnTakingBack() {
        originals.openTakeBack().filter(open -> !forgetSlice(open)).ifPresent(originals::endTakeBack);
        return originals.openTakeBack().isPresent();
    }

    private boolean expire() {
        if (retention.isForever()) {
            return false;
        }
        long eventMillis = originals.clock().millis();
        long expiredMax = retention.expiredMax(eventMillis);
        long next = originals.expiry().nextSequence();
        List<Entry> inOrder = state.originalsFrom(next, expiredMax, slice);
        for (Entry entry : inOrder) {
            forgetOrSetAside(entry, expiredMax);
            next = entry.ref().sequence() + 1;
        }
        boolean moreSetAside = expireSetAside(expiredMax);
        originals.note(new Expiry(next, eventMillis));
        return slice.isFull(inOrder) || moreSetAside;
    }

    private boolean expireSetAside(long expiredMax) {
        int looked = 0;
        long bytes = 0;
        for (SetAside entry : state.setAside(expiredMax, slice.originals())) {
            state.forget(entry);
            Entry known = state.entry(entry.ref()).orElse(null);
            if (known != null) {
                forgetOrSetAside(known, expiredMax);
                bytes += known.bytes();
            }
            if (slice.isFull(++looked, bytes)) {
                return true;
            }
        }
        return false;
    }

    private void forgetOrSetAside(Entry entry, long expiredMax) {
        long repeatedMillis = originals.lastRepeated(entry.ref());
        if (repeatedMillis > expiredMax) {
            state.setAside(new SetAside(entry.ref(), repeatedMillis));
        } else {
            expired++;
            forget(entry);
        }
    }
}
