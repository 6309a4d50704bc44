package io.neardup.engine.protocol;

import io.neardup.engine.protocol.InFlightRecord.Decided;
import io.neardup.engine.protocol.InFlightRecord.RecalledFrom;
import io.neardup.engine.protocol.InFlightRecord.Stage;
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
 * All that a coordinator holds, in the order of arrival, which is the order in which it leaves. A decision that cannot
 * leave with the step that made it is noted in the state, so that it is never made anew.
 *
 * @param <P> what leaves with the decision
 */
final class ReleaseQueue<P> {
    private final CoordinatorState state;
    private final SequenceAllocator numbering;
    private final Outbox<P> outbox;
    private final Deque<InFlightRecord<P>> queue = new ArrayDeque<>();
    private final Map<DocumentRef, InFlightRecord<P>> byRef = new HashMap<>();
    /** Of what is pending. */
    private final SketchTable sketches = new SketchTable();
    /** Decided in this step. */
    private final List<InFlightRecord<P>> decidedNow = new ArrayList<>();

    ReleaseQueue(CoordinatorState state, SequenceAllocator numbering, Outbox<P> outbox) {
        this.state = state;
        this.numbering = numbering;
        this.outbox = outbox;
    }

    void hold(DocumentRef ref, InputOffset at, P payload, Stage stage) {
        InFlightRecord<P> held = new InFlightRecord<>(ref, at, payload, stage);
        queue.add(held);
        byRef.put(ref, held);
        PendingDocument pending = held.pending();
        if (pending != null && !pending.document().sketch().isNone()) {
            sketches.put(ref.sequence(), pending.document().sketch());
        }
    }

    int size() {
        return queue.size();
    }

    /** The oldest, at most so many. */
    Stream<P> oldest(int max) {
        return queue.stream().limit(max).map(InFlightRecord::payload);
    }

    /** A document while it is pending here. */
    @Nullable
    PendingDocument pending(DocumentRef ref) {
        InFlightRecord<P> held = byRef.get(ref);
        return held == null ? null : held.pending();
    }

    /** The sketches of what is pending, by sequence number. */
    SketchTable sketches() {
        return sketches;
    }

    /** The pending documents, the oldest first. */
    Stream<PendingDocument> pending() {
        return queue.stream()
                .map(InFlightRecord::pending)
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull);
    }

    /** What an earlier life decided on a record, if it had not left. */
    Optional<Decided> recall(DocumentRef ref) {
        Optional<Decided> noted = state.decision(ref).map(decision -> new Decided(decision, RecalledFrom.A_NOTE));
        return noted.isEmpty() && state.hasOriginal(ref)
                ? Optional.of(new Decided(Decision.UNIQUE, RecalledFrom.BEING_ORIGINAL))
                : noted;
    }

    /** A pending document is a duplicate: nobody need be compared with it any more. */
    void forgetSketch(DocumentRef ref) {
        sketches.remove(ref.sequence());
    }

    /** Decides a pending document. */
    void decide(DocumentRef ref, Decision decision, boolean isOriginal) {
        InFlightRecord<P> held = Objects.requireNonNull(byRef.get(ref), "not held");
        boolean isTold = isOriginal && decision.equals(Decision.UNIQUE);
        sketches.remove(ref.sequence());
        held.decide(new Decided(decision, isTold ? RecalledFrom.BEING_ORIGINAL : RecalledFrom.NOTHING));
        decidedNow.add(held);
    }

    /** Notes that a record was unique, though it is no original any more; nothing happens where it has left. */
    void keepUnique(DocumentRef ref) {
        if (numbering.hasNotLeft(ref)) {
            note(ref, recall(ref).map(Decided::decision).orElse(Decision.UNIQUE));
        }
    }

    private void note(DocumentRef ref, Decision decision) {
        state.noteDecision(ref, decision);
        InFlightRecord<P> held = byRef.get(ref);
        if (held != null) {
            held.decide(new Decided(decision, RecalledFrom.A_NOTE));
        }
    }

    /**
     * Ends a step: what can leave leaves, and what must wait is noted.
     *
     * @param left gets each that leaves
     * @param refused gets each that did not leave as decided
     */
    void endStep(Consumer<DocumentRef> left, Consumer<DocumentRef> refused) {
        for (InFlightRecord<P> head = queue.peek(); head != null; head = queue.peek()) {
            Decided decided = head.decided();
            if (decided == null) {
                break;
            }
            boolean asDecided = release(queue.remove(), decided);
            left.accept(head.ref());
            if (!asDecided) {
                refused.accept(head.ref());
            }
        }
        for (InFlightRecord<P> held : decidedNow) {
            Decided decided = held.decided();
            if (decided != null && decided.recalledFrom() == RecalledFrom.NOTHING) {
                note(held.ref(), decided.decision());
            }
        }
        decidedNow.clear();
        numbering.endStep();
    }

    private boolean release(InFlightRecord<P> held, Decided decided) {
        byRef.remove(held.ref());
        if (decided.recalledFrom() == RecalledFrom.A_NOTE) {
            state.forgetDecision(held.ref());
        }
        held.leave();
        numbering.noteLeft(held.at(), held.ref());
        return outbox.release(held.ref(), held.payload(), decided.decision());
    }
}
