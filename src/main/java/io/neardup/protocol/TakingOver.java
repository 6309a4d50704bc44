package io.neardup.protocol;

import io.neardup.protocol.Followed.Completed;
import io.neardup.protocol.Followed.Inherited;
import io.neardup.protocol.Followed.LetGo;
import io.neardup.protocol.Followed.Refreshed;
import io.neardup.protocol.HomeState.TakenOver;
import io.neardup.protocol.Message.NewVersion;
import io.neardup.protocol.Message.TakenBack;
import java.util.HashMap;
import java.util.Map;

/**
 * What a home takes over of the index that its own succeeds. What is heard of an original takes effect when it leaves:
 * by then the original is in the state, or was let go before.
 *
 * <p>Where the input has more partitions than that index had homes, what was taken over is on any home: then tombstones
 * and new versions are told to all.
 */
final class TakingOver {
    private final HomeState state;
    private final Numbering numbering;
    private final Originals originals;
    private final Forgetting forgetting;
    private final HomeMail mail;
    private final boolean replacesVersions;
    private final Map<Ref, Followed> held = new HashMap<>();
    private TakenOver takenOver;

    TakingOver(
            HomeRules rules,
            HomeState state,
            Numbering numbering,
            Originals originals,
            Forgetting forgetting,
            HomeMail mail) {
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
        Ref source = taken.origin().source();
        return source != null && !state.originalsFrom(source).isEmpty();
    }

    /** A record of what is heard is held. */
    void hold(Ref ref, Followed followed) {
        held.put(ref, followed);
    }

    /** A record has left. */
    void noteLeft(Ref ref) {
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

    // ---- what was taken over is on any home

    /** A tombstone has come to this home. */
    void tellTakenBack(RecordKey key) {
        if (takenOver.isSpread()) {
            mail.toAllHomes(new TakenBack(key));
        }
    }

    /** A document has come to this home. */
    void tellNewVersion(String id) {
        if (takenOver.isSpread() && replacesVersions) {
            mail.toAllHomes(new NewVersion(mail.home(), id));
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

    /** What this home keeps is replaced by a document of its own when that is decided, so that it is in its place. */
    private void replace(NewVersion version) {
        if (version.home() != mail.home()) {
            originals.ofIdBefore(version.id(), takenOver.beforeSequence()).forEach(forgetting::forget);
        }
    }
}
