package io.neardup.protocol;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A record that a home holds: it is pending until it is decided, and then waits for those before it to leave.
 *
 * @param <P> what leaves with the decision
 */
final class Held<P> {
    private final Ref ref;
    private final InputOffset at;
    private final P payload;
    private @Nullable PendingDocument pending;
    private @Nullable Decision decision;
    private boolean noted;
    private boolean kept;
    private @Nullable RecordKey keyTakenBack;
    private boolean left;

    Held(Ref ref, InputOffset at, P payload) {
        this.ref = ref;
        this.at = at;
        this.payload = payload;
    }

    Ref ref() {
        return ref;
    }

    InputOffset at() {
        return at;
    }

    P payload() {
        return payload;
    }

    /** The document while it has no decision. */
    @Nullable
    PendingDocument pending() {
        return pending;
    }

    void awaitDecision(PendingDocument document) {
        pending = document;
    }

    boolean isDecided() {
        return decision != null;
    }

    Decision decision() {
        return Objects.requireNonNull(decision, "no decision yet");
    }

    void decide(Decision made) {
        decision = made;
        pending = null;
    }

    /** Whether the state has a note of the decision. */
    boolean isNoted() {
        return noted;
    }

    void note() {
        noted = true;
    }

    /** Whether it became an original, which tells its decision. */
    boolean isKept() {
        return kept;
    }

    void keep() {
        kept = true;
    }

    /** The record key that it takes back, if it is a tombstone. */
    @Nullable
    RecordKey keyTakenBack() {
        return keyTakenBack;
    }

    void takesBack(RecordKey key) {
        keyTakenBack = key;
    }

    boolean hasLeft() {
        return left;
    }

    void leave() {
        left = true;
    }
}
