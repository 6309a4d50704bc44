package io.neardup.engine.protocol;

import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.protocol.CoordinatorState.TakenOver;
import io.neardup.engine.protocol.DocumentCoordinator.Outbox;
import io.neardup.engine.protocol.Message.NewVersion;
import io.neardup.engine.protocol.Message.TombstoneArrived;
import io.neardup.engine.protocol.PredecessorChange.Completed;
import io.neardup.engine.protocol.PredecessorChange.Inherited;
import io.neardup.engine.protocol.PredecessorChange.Removed;
import io.neardup.engine.protocol.PredecessorChange.Repeated;

/**
 * Takes over the originals of a predecessor. A change of an original takes effect when its record is released: by then
 * the original is in the state, or was removed before.
 *
 * <p>If the input has more partitions than the predecessor had coordinators, originals taken over may be on any
 * coordinator: then tombstones and new versions are announced to all.
 */
final class MigrationTarget {
    private final int coordinator;
    private final CoordinatorState state;
    private final SequenceAllocator sequences;
    private final Originals originals;
    private final Outbox<?> outbox;
    private final boolean replacesVersions;
    private TakenOver takenOver;

    MigrationTarget(
            int coordinator,
            CoordinatorRules rules,
            CoordinatorState state,
            SequenceAllocator sequences,
            Originals originals,
            Outbox<?> outbox) {
        this.coordinator = coordinator;
        this.state = state;
        this.sequences = sequences;
        this.originals = originals;
        this.outbox = outbox;
        this.replacesVersions = rules.versions() == Versions.REPLACE;
        this.takenOver = state.takenOver();
    }

    /** Whether all originals have been taken over and released. */
    boolean isDone() {
        return !takenOver.equals(TakenOver.NONE);
    }

    /** Whether an original was taken over already: one that is read again counts once. */
    boolean isKnown(Inherited taken) {
        DocumentRef predecessorRef = taken.original().origin().predecessorRef();
        return predecessorRef != null
                && !state.originalsTakenOverAs(predecessorRef).isEmpty();
    }

    /** Applies a change as its record is released. An {@link Inherited} that is known already changes nothing. */
    void apply(PredecessorChange change, DocumentRef ref) {
        if (change instanceof Removed removed) {
            state.originalsTakenOverAs(removed.predecessorRef()).forEach(originals::remove);
        } else if (change instanceof Repeated repeated) {
            state.originalsTakenOverAs(repeated.predecessorRef())
                    .forEach(entry -> state.noteRepeat(entry.ref(), repeated.eventMillis()));
        } else if (change instanceof Completed end && !isDone()) {
            takenOver = new TakenOver(ref.sequence() + 1, end.isSpread());
            state.noteTakenOver(takenOver);
            originals.advanceClockTo(end.eventMillis());
            end.starts().forEach(sequences::startAt);
        }
    }

    // ---- originals taken over may be on any coordinator

    void announceTombstone(RecordKey key) {
        if (takenOver.isSpread()) {
            outbox.toAllCoordinators(new TombstoneArrived(key));
        }
    }

    void announceNewVersion(String id) {
        if (takenOver.isSpread() && replacesVersions) {
            outbox.toAllCoordinators(new NewVersion(coordinator, id));
        }
    }

    /** Takes a message of another coordinator to which a tombstone or a new version has come. */
    void receive(Message message) {
        if (message instanceof TombstoneArrived tombstone) {
            originals.removeBefore(tombstone.key(), takenOver.beforeSequence());
        } else if (message instanceof NewVersion version && version.coordinator() != coordinator) {
            // A new version on this coordinator itself replaces the originals here when it is decided.
            originals.withId(version.id()).stream()
                    .filter(taken -> taken.ref().sequence() < takenOver.beforeSequence())
                    .forEach(originals::remove);
        }
    }
}
