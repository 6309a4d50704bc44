package io.neardup.engine.protocol;

import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.protocol.CoordinatorState.TakenOver;
import io.neardup.engine.protocol.DocumentCoordinator.LoopbackOutbox;
import io.neardup.engine.protocol.Followed.Completed;
import io.neardup.engine.protocol.Followed.Inherited;
import io.neardup.engine.protocol.Followed.LetGo;
import io.neardup.engine.protocol.Followed.Refreshed;
import io.neardup.engine.protocol.Message.NewVersion;
import io.neardup.engine.protocol.Message.TakenBack;
import java.util.HashMap;
import java.util.Map;

/**
 * What a coordinator takes over of the index that its own succeeds. What it learns of an original takes effect when
 * that record is released: by then the original is in the state, or was let go before.
 *
 * <p>Where the input has more partitions than that index had coordinators, what was taken over is on any coordinator:
 * then tombstones and new versions are announced to all.
 */
final class MigrationTarget {
    private final CoordinatorState state;
    private final SequenceAllocator sequences;
    private final Originals originals;
    private final OriginalExpiry expiry;
    private final LoopbackOutbox outbox;
    private final boolean replacesVersions;
    private final Map<DocumentRef, Followed> held = new HashMap<>();
    private TakenOver takenOver;

    MigrationTarget(
            CoordinatorRules rules,
            CoordinatorState state,
            SequenceAllocator sequences,
            Originals originals,
            OriginalExpiry expiry,
            LoopbackOutbox outbox) {
        this.state = state;
        this.sequences = sequences;
        this.originals = originals;
        this.expiry = expiry;
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
        DocumentRef source = taken.origin().source();
        return source != null && !state.originalsFrom(source).isEmpty();
    }

    /** A record of a change is held. */
    void hold(DocumentRef ref, Followed followed) {
        held.put(ref, followed);
    }

    void noteReleased(DocumentRef ref) {
        Followed followed = held.remove(ref);
        if (followed instanceof LetGo letGo) {
            state.originalsFrom(letGo.source()).forEach(expiry::remove);
        } else if (followed instanceof Refreshed repeated) {
            state.originalsFrom(repeated.source()).forEach(entry -> state.repeat(entry.ref(), repeated.eventMillis()));
        } else if (followed instanceof Completed end && !isDone()) {
            takenOver = new TakenOver(ref.sequence() + 1, end.isSpread());
            state.noteTakenOver(takenOver);
            originals.goOnFrom(end.eventMillis());
            end.starts().forEach(sequences::startAt);
        }
    }

    // ---- what was taken over is on any coordinator

    /** A tombstone has come to this coordinator. */
    void announceTombstone(RecordKey key) {
        if (takenOver.isSpread()) {
            outbox.toAllCoordinators(new TakenBack(key));
        }
    }

    /** A document has come to this coordinator. */
    void announceNewVersion(String id) {
        if (takenOver.isSpread() && replacesVersions) {
            outbox.toAllCoordinators(new NewVersion(outbox.coordinator(), id));
        }
    }

    /** Takes a message of another coordinator to which a tombstone or a new version has come. */
    void receive(Message message) {
        if (message instanceof TakenBack takenBack) {
            expiry.removeBefore(takenBack.key(), takenOver.beforeSequence());
        } else if (message instanceof NewVersion version) {
            replace(version);
        }
    }

    /**
     * What this coordinator keeps is replaced by a document of its own when that is decided, so that it is in its
     * place.
     */
    private void replace(NewVersion version) {
        if (version.coordinator() != outbox.coordinator()) {
            originals.ofIdBefore(version.id(), takenOver.beforeSequence()).forEach(expiry::remove);
        }
    }
}
