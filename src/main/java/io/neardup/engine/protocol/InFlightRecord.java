package io.neardup.engine.protocol;

import org.jspecify.annotations.Nullable;

/**
 * A record that a coordinator holds, from its arrival until it leaves. All that changes is its {@link Stage}:
 *
 * <pre>
 * arrives -> Pending -> Decided -> Released
 *         -> Decided             (not judged, or decided in an earlier life)
 * </pre>
 *
 * @param <P> what leaves with the decision
 */
final class InFlightRecord<P> {
    private final DocumentRef ref;
    private final InputOffset at;
    private final P payload;
    private Stage stage;

    InFlightRecord(DocumentRef ref, InputOffset at, P payload, Stage stage) {
        this.ref = ref;
        this.at = at;
        this.payload = payload;
        this.stage = stage;
    }

    /** How far a record is. */
    sealed interface Stage {}

    /** It has no decision yet. */
    record Pending(PendingDocument document) implements Stage {}

    /** It waits for those before it to leave. */
    record Decided(Decision decision, RecalledFrom recalledFrom) implements Stage {
        static final Decided UNJUDGED = new Decided(Decision.UNJUDGED, RecalledFrom.THE_RECORD);
    }

    /** It has left. */
    record Released() implements Stage {}

    /** What tells the decision again after a crash. */
    enum RecalledFrom {
        /** The record itself, as it is not judged. */
        THE_RECORD,
        /** That it is an original. */
        BEING_ORIGINAL,
        /** A note in the state. */
        A_NOTE,
        /** Nothing: the decision must leave with the step that made it, or be noted in it. */
        NOTHING
    }

    DocumentRef ref() {
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
        return stage instanceof Pending waiting ? waiting.document() : null;
    }

    /** The decision while it waits to leave. */
    @Nullable
    Decided decided() {
        return stage instanceof Decided made ? made : null;
    }

    void decide(Decided made) {
        stage = made;
    }

    void leave() {
        stage = new Released();
    }
}
