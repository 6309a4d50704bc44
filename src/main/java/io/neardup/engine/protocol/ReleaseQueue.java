package io.neardup.engine.protocol;

import io.neardup.engine.protocol.DocumentCoordinator.InputOffset;
import io.neardup.engine.protocol.DocumentCoordinator.Outbox;
import io.neardup.engine.similarity.SketchTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that a coordinator holds, in the order of arrival, which is the order of release. A decision that cannot be
 * released with the step that made it is noted in the state, so that it is never made anew.
 */
final class ReleaseQueue<P> {
    private final CoordinatorState state;
    private final SequenceAllocator sequences;
    private final Outbox<P> outbox;
    private final Deque<InFlightRecord<P>> queue = new ArrayDeque<>();
    private final Map<DocumentRef, InFlightRecord<P>> byRef = new HashMap<>();
    /** Of what is pending. */
    private final SketchTable sketches = new SketchTable(Integer.MAX_VALUE);
    /** Decided in this step. */
    private final List<InFlightRecord<P>> decidedNow = new ArrayList<>();

    ReleaseQueue(CoordinatorState state, SequenceAllocator sequences, Outbox<P> outbox) {
        this.state = state;
        this.sequences = sequences;
        this.outbox = outbox;
    }

    /** A record from its arrival to its release. */
    private static final class InFlightRecord<P> {
        final DocumentRef ref;
        final InputOffset at;
        final P payload;
        final Runnable onRelease;

        /** The document while it has no decision. */
        @Nullable
        PendingDocument pending;

        /** The decision, which waits for those before it to be released. */
        @Nullable
        Decided decided;

        InFlightRecord(DocumentRef ref, InputOffset at, P payload, Runnable onRelease) {
            this.ref = ref;
            this.at = at;
            this.payload = payload;
            this.onRelease = onRelease;
        }
    }

    /**
     * A decision that waits for its turn.
     *
     * @param isKept whether it is known after a crash: it is noted, or follows from what the record is, one that is not
     *     judged or an original. Else it must be released with the step that made it, or be noted in it
     */
    record Decided(Decision decision, boolean isKept) {
        static final Decided UNJUDGED = new Decided(Decision.UNJUDGED, true);
    }

    /** A document is pending from now on. */
    void hold(InputOffset at, P payload, PendingDocument pending) {
        InFlightRecord<P> held = new InFlightRecord<>(pending.ref(), at, payload, () -> {});
        held.pending = pending;
        hold(held);
        if (!pending.document.sketch().isNone()) {
            sketches.put(pending.ref().sequence(), pending.document.sketch());
        }
    }

    /** @param onRelease what takes effect in the step that releases it */
    void hold(DocumentRef ref, InputOffset at, P payload, Decided decided, Runnable onRelease) {
        InFlightRecord<P> held = new InFlightRecord<>(ref, at, payload, onRelease);
        held.decided = decided;
        hold(held);
    }

    private void hold(InFlightRecord<P> held) {
        queue.add(held);
        byRef.put(held.ref, held);
    }

    int size() {
        return queue.size();
    }

    Stream<P> oldest(int max) {
        return queue.stream().limit(max).map(held -> held.payload);
    }

    @Nullable
    PendingDocument pending(DocumentRef ref) {
        InFlightRecord<P> held = byRef.get(ref);
        return held == null ? null : held.pending;
    }

    /** The sketches of what is pending, by sequence number. */
    SketchTable sketches() {
        return sketches;
    }

    /** The pending documents, the oldest first. */
    Stream<PendingDocument> pending() {
        return queue.stream().map(held -> held.pending).filter(Objects::nonNull).map(Objects::requireNonNull);
    }

    /** What an earlier epoch decided on a record, if it was not released. */
    Optional<Decided> recall(DocumentRef ref) {
        Optional<Decided> noted = state.decision(ref).map(decision -> new Decided(decision, true));
        return noted.isEmpty() && state.hasOriginal(ref) ? Optional.of(new Decided(Decision.UNIQUE, true)) : noted;
    }

    /** A pending document is a duplicate: nobody need be compared with it any more. */
    void forgetSketch(DocumentRef ref) {
        sketches.remove(ref.sequence());
    }

    void decide(DocumentRef ref, Decision decision, boolean isOriginal) {
        InFlightRecord<P> held = Objects.requireNonNull(byRef.get(ref), "not held");
        boolean isKept = isOriginal && decision.equals(Decision.UNIQUE);
        sketches.remove(ref.sequence());
        held.pending = null;
        held.decided = new Decided(decision, isKept);
        decidedNow.add(held);
    }

    /** Notes that a record was unique that is no original any more; nothing happens where it was released. */
    void noteUnique(DocumentRef ref) {
        if (sequences.isInFlight(ref)) {
            InFlightRecord<P> held = byRef.get(ref);
            // What was decided in this step is not noted yet.
            Optional<Decided> decided = held == null || held.decided == null ? recall(ref) : Optional.of(held.decided);
            note(ref, decided.map(Decided::decision).orElse(Decision.UNIQUE));
        }
    }

    private void note(DocumentRef ref, Decision decision) {
        state.noteDecision(ref, decision);
        InFlightRecord<P> held = byRef.get(ref);
        if (held != null) {
            held.pending = null;
            held.decided = new Decided(decision, true);
        }
    }

    /**
     * Ends a step: what can leave is released, and what must wait is noted.
     *
     * @param withdrawn gets each that was not released as decided
     */
    void endStep(Consumer<DocumentRef> withdrawn) {
        for (InFlightRecord<P> head = queue.peek(); head != null && head.decided != null; head = queue.peek()) {
            boolean asDecided = release(queue.remove(), head.decided);
            head.onRelease.run();
            if (!asDecided) {
                withdrawn.accept(head.ref);
            }
        }
        for (InFlightRecord<P> held : decidedNow) {
            Decided decided = held.decided;
            boolean isReleased = !byRef.containsKey(held.ref);
            if (!isReleased && decided != null && !decided.isKept) {
                note(held.ref, decided.decision);
            }
        }
        decidedNow.clear();
        sequences.endStep();
    }

    private boolean release(InFlightRecord<P> held, Decided decided) {
        byRef.remove(held.ref);
        state.forgetDecision(held.ref);
        sequences.noteReleased(held.at, held.ref);
        return outbox.release(held.ref, held.payload, decided.decision);
    }
}
