package io.neardup.engine.protocol;

import io.neardup.engine.protocol.CoordinatorRules.Retention;
import io.neardup.engine.protocol.CoordinatorRules.Slice;
import io.neardup.engine.protocol.CoordinatorState.Entry;
import io.neardup.engine.protocol.CoordinatorState.Expiry;
import io.neardup.engine.protocol.CoordinatorState.RefreshedExpiry;
import io.neardup.engine.protocol.CoordinatorState.Tombstone;
import io.neardup.engine.protocol.DocumentCoordinator.LoopbackOutbox;
import java.util.List;

/**
 * How a coordinator removes originals, a slice a step: those whose retention is over, and those of tombstones. An
 * original that is removed leaves the state and the buckets; what was decided on its own record stays so.
 *
 * <p>They expire in the order of their sequence numbers. An original that is added late, as it was pending for long,
 * has a number behind which expiry has gone: expiry goes back to it. One that outlives its own timestamp, as it was
 * repeated, gets a {@linkplain RefreshedExpiry refreshed expiry} when its turn comes: it expires in the order of the
 * repeats.
 */
final class OriginalExpiry {
    private final CoordinatorState state;
    private final SequenceAllocator sequences;
    private final Originals originals;
    private final ReleaseQueue<?> queue;
    private final Partitions partitions;
    private final LoopbackOutbox outbox;
    private final Retention retention;
    private final Slice slice;

    /** How many originals were removed since the start. */
    long removed;
    /** How many of these expired. */
    long expired;

    OriginalExpiry(
            CoordinatorRules rules,
            CoordinatorState state,
            SequenceAllocator sequences,
            Originals originals,
            ReleaseQueue<?> queue,
            Partitions partitions,
            LoopbackOutbox outbox) {
        this.retention = rules.retention();
        this.slice = rules.bounds().removeMax();
        this.state = state;
        this.sequences = sequences;
        this.originals = originals;
        this.queue = queue;
        this.partitions = partitions;
        this.outbox = outbox;
    }

    void remove(Entry original) {
        originals.remove(original);
        removed++;
        queue.noteUnique(original.ref());
        removeFromBuckets(original.ref(), partitions.split(original.keys()));
    }

    /** Takes a document out of its buckets. */
    void removeFromBuckets(DocumentRef document, List<Partitions.Share> shares) {
        for (Partitions.Share share : shares) {
            outbox.toBands(share.indexPartition(), new Message.Remove(document, share.keys()));
        }
    }

    /** Undoes what was decided, if anything, on a record that is not released as that. */
    void withdraw(DocumentRef ref) {
        state.entry(ref).ifPresent(this::remove);
        state.forgetDecision(ref);
    }

    // ---- tombstones

    /**
     * Removes the originals of a key that came before a number, what is more than a slice in later steps. What is still
     * pending, or comes again, becomes none.
     */
    void removeBefore(RecordKey key, long sequence) {
        Tombstone tombstone = new Tombstone(key, sequence);
        if (removeSlice(tombstone) || sequences.isInFlightBefore(sequence)) {
            originals.keepTombstone(tombstone);
        }
    }

    /**
     * Removes the originals of a key that have left, as its tombstone leaves. Those of a greater number are of another
     * topic: after a restart what came after the tombstone, or is new, can be read before it. Seldom, and in one step.
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

    /** Returns whether there may be more. */
    private boolean removeSlice(Tombstone tombstone) {
        List<Entry> found = state.originalsOf(tombstone.key(), 0, tombstone.beforeSequence(), slice);
        found.forEach(this::remove);
        return isFull(found);
    }

    // ---- slices

    /**
     * Removes the next slice of each kind.
     *
     * @return whether there may be more
     */
    boolean removeNext() {
        boolean moreOfTombstones = removeOfTombstones();
        return expire() || moreOfTombstones;
    }

    private boolean removeOfTombstones() {
        long removedMax = removed + slice.originals();
        for (Tombstone open : originals.openTombstones()) {
            if (removeSlice(open) || removed >= removedMax) {
                return true;
            }
            if (!sequences.isInFlightBefore(open.beforeSequence())) {
                originals.endTombstone(open);
            }
        }
        return !originals.openTombstones().isEmpty();
    }

    private boolean expire() {
        if (retention.isForever()) {
            return false;
        }
        long eventMillis = originals.clock().millis();
        long expiredMax = retention.expiredMax(eventMillis);
        long next = originals.expiry().nextSequence();
        List<Entry> inOrder = state.originalsFrom(next, expiredMax, slice);
        for (Entry original : inOrder) {
            removeOrRefresh(original, expiredMax);
            next = original.ref().sequence() + 1;
        }
        boolean moreRefreshed = expireRefreshed(expiredMax);
        originals.note(new Expiry(next, eventMillis));
        return isFull(inOrder) || moreRefreshed;
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
        long repeatedMillis = originals.lastRepeated(original.ref());
        if (repeatedMillis > expiredMax) {
            state.note(new RefreshedExpiry(original.ref(), repeatedMillis));
        } else {
            expired++;
            remove(original);
        }
    }

    private boolean isFull(List<Entry> read) {
        return slice.isFull(read.size(), read.stream().mapToLong(Entry::bytes).sum());
    }
}
