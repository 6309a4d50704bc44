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
 * What a coordinator takes over of the index that its own succeeds. What it learns of an original takes effect when
 * the record of the change is released: by then the original is in the state, or was removed before.
 *
 * <p>Where the input has more partitions than that index had coordinators, what was taken over is on any coordinator:
 * then tombstones and new versions are announced to all.
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

    /** Whether all has been taken over and released. */
    boolean isDone() {
        return !takenOver.equals(TakenOver.NONE);
    }

    /** Whether an original is there already: what is read again counts once. */
    boolean isKnown(Inherited taken) {
        DocumentRef source = taken.original().origin().predecessorRef();
        return source != null && !state.originalsTakenOverAs(source).isEmpty();
    }

    /** The record of a change is released: it takes effect. That of an {@link Inherited} that is known has none. */
    void apply(PredecessorChange change, DocumentRef ref) {
        if (change instanceof Removed removed) {
            state.originalsTakenOverAs(removed.source()).forEach(originals::remove);
        } else if (change instanceof Repeated repeated) {
            state.originalsTakenOverAs(repeated.source())
                    .forEach(entry -> state.repeat(entry.ref(), repeated.eventMillis()));
        } else if (change instanceof Completed end && !isDone()) {
            takenOver = new TakenOver(ref.sequence() + 1, end.isSpread());
            state.noteTakenOver(takenOver);
            originals.goOnFrom(end.eventMillis());
            end.starts().forEach(sequences::startAt);
        }
    }

    // ---- what was taken over is on any coordinator

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
            // A document of its own replaces what is here when that is decided, so that it is in its place.
            originals.ofId(version.id()).stream()
                    .filter(taken -> taken.ref().sequence() < takenOver.beforeSequence())
                    .forEach(originals::remove);
        }
    }
}
