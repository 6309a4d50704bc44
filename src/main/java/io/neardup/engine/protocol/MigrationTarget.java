package io.neardup.engine.protocol;

import io.neardup.engine.protocol.CoordinatorState.TakenOver;
import io.neardup.engine.protocol.Followed.Completed;
import io.neardup.engine.protocol.Followed.Inherited;
import io.neardup.engine.protocol.Followed.LetGo;
import io.neardup.engine.protocol.Followed.Refreshed;
import io.neardup.engine.protocol.Message.NewVersion;
import io.neardup.engine.protocol.Message.TakenBack;
import java.util.HashMap;
import java.util.Map;

/**
 * What a coordinator takes over of the index that its own succeeds. What is heard of an original takes effect when it
 * leaves: by then the original is in the state, or was let go before.
 *
 * <p>Where the input has more partitions than that index had coordinators, what was taken over is on any coordinator:
 * then tombstones and new versions are told to all.
 */
final class MigrationTarget {
    private final CoordinatorState state;
    private final SequenceAllocator numbering;
    private final Originals originals;
    private final Forgetting forgetting;
    private final CoordinatorMail mail;
    private final boolean replacesVersions;
    private final Map<DocumentRef, Followed> held = new HashMap<>();
    private TakenOver takenOver;

    MigrationTarget(
            CoordinatorRules rules,
            CoordinatorState state,
            SequenceAllocator numbering,
            Originals originals,
            Forgetting forgetting,
            CoordinatorMail mail) {
        this.state = state;
        this.numbering = numbering;
        this.originals = originals;
        this.forgetting = forgetting;
        this.mail = mail;
        this.replacesVersions = rules.versions() == Versions.REPLACE;
        this.takenOver = state.takenOver();
    }

    /** Whether all has been taken over and has left. */
    boolean isDone() {
        return !takenOver.equals(TakenOver.NONE);
    }

    /** Whether an original is there already: what is read again counts once. */
    boolean isKnown(Inherited taken) {
        DocumentRef source = taken.origin().source();
        return source != null && !state.originalsFrom(source).isEmpty();
    }

    /** A record of what is heard is held. */
    void hold(DocumentRef ref, Followed followed) {
        held.put(ref, followed);
    }

    /** A record has left. */
    void noteLeft(DocumentRef ref) {
        Followed followed = held.remove(ref);
        if (followed instanceof LetGo letGo) {
            state.originalsFrom(letGo.source()).forEach(forgetting::forget);
        } else if (followed instanceof Refreshed repeated) {
            state.originalsFrom(repeated.source()).forEach(entry -> state.repeat(entry.ref(), repeated.eventMillis()));
        } else if (followed instanceof Completed end && !isDone()) {
            takenOver = new TakenOver(ref.sequence() + 1, end.isSpread());
            state.noteTakenOver(takenOver);
            originals.goOnFrom(end.eventMillis());
            end.starts().forEach(numbering::startAt);
        }
    }

    // ---- what was taken over is on any coordinator

    /** A tombstone has come to this coordinator. */
    void tellTakenBack(RecordKey key) {
        if (takenOver.isSpread()) {
            mail.toAllCoordinators(new TakenBack(key));
        }
    }

    /** A document has come to this coordinator. */
    void tellNewVersion(String id) {
        if (takenOver.isSpread() && replacesVersions) {
            mail.toAllCoordinators(new NewVersion(mail.coordinator(), id));
        }
    }

    /** Takes a message if it is of these, and returns whether it is. */
    boolean take(Message message) {
        if (message instanceof TakenBack takenBack) {
            forgetting.takeBackBefore(takenBack.key(), takenOver.beforeSequence());
        } else if (message instanceof NewVersion version) {
            replace(version);
        } else {
            return false;
        }
        return true;
    }

    /**
     * What this coordinator keeps is replaced by a document of its own when that is decided, so that it is in its
     * place.
     */
    private void replace(NewVersion version) {
        if (version.coordinator() != mail.coordinator()) {
            originals.ofIdBefore(version.id(), takenOver.beforeSequence()).forEach(forgetting::forget);
        }
    }
}
