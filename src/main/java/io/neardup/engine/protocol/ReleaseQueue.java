package io.neardup.engine.protocol;

import io.neardup.engine.protocol.DocumentCoordinator.InputOffset;
import io.neardup.engine.protocol.DocumentCoordinator.Outbox;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The records that a coordinator holds, in the order in which it took them, which is the order of release. A decision
 * that cannot be released in the step that made it is noted in the state, so that it is never made again.
 */
final class ReleaseQueue<P> {
    private final CoordinatorState state;
    private final SequenceAllocator sequences;
    private final Outbox<P> outbox;
    private final Map<DocumentRef, InFlightRecord<P>> records = new LinkedHashMap<>();
    /** Decided in this step; those that are not released in it are noted, for after a crash. */
    private final List<InFlightRecord<P>> toNote = new ArrayList<>();

    ReleaseQueue(CoordinatorState state, SequenceAllocator sequences, Outbox<P> outbox) {
        this.state = state;
        this.sequences = sequences;
        this.outbox = outbox;
    }

    private static final class InFlightRecord<P> {
        final DocumentRef ref;
        final InputOffset at;
        final P payload;
        final Runnable onRelease;

        /** The document, while it has no decision. */
        @Nullable
        PendingDocument pending;

        /** The decision, while earlier records are to be released. */
        @Nullable
        Decision decision;

        /** Whether the state may have its decision, which is to be forgotten then. */
        boolean isNoted;

        InFlightRecord(
                DocumentRef ref,
                InputOffset at,
                P payload,
                @Nullable PendingDocument pending,
                @Nullable Decision decision,
                Runnable onRelease) {
            this.ref = ref;
            this.at = at;
            this.payload = payload;
            this.pending = pending;
            this.decision = decision;
            this.onRelease = onRelease;
        }
    }

    void holdPending(InputOffset at, P payload, PendingDocument pending) {
        records.put(pending.ref(), new InFlightRecord<>(pending.ref(), at, payload, pending, null, () -> {}));
    }

    /**
     * Holds a record that is decided until those before it are released.
     *
     * @param decision that survives a crash: an earlier epoch noted it, or it follows from the record
     * @param onRelease run in the step that releases the record
     */
    void holdDecided(DocumentRef ref, InputOffset at, P payload, Decision decision, Runnable onRelease) {
        InFlightRecord<P> held = new InFlightRecord<>(ref, at, payload, null, decision, onRelease);
        held.isNoted = true; // Perhaps by an earlier epoch.
        records.put(ref, held);
    }

    int size() {
        return records.size();
    }

    Stream<P> oldest(int max) {
        return records.values().stream().limit(max).map(held -> held.payload);
    }

    @Nullable
    PendingDocument pending(DocumentRef ref) {
        InFlightRecord<P> held = records.get(ref);
        return held == null ? null : held.pending;
    }

    /** The pending documents, the oldest first. */
    Stream<PendingDocument> pending() {
        return records.values().stream().flatMap(held -> Stream.ofNullable(held.pending));
    }

    /** The decision of an earlier epoch on a record that was not released. */
    Optional<Decision> recall(DocumentRef ref) {
        return state.decision(ref).or(() -> state.entry(ref).map(original -> Decision.UNIQUE));
    }

    void decide(DocumentRef ref, Decision decision, boolean isOriginal) {
        InFlightRecord<P> held = Objects.requireNonNull(records.get(ref), "not held");
        held.pending = null;
        held.decision = decision;
        if (!(isOriginal && decision.equals(Decision.UNIQUE))) {
            toNote.add(held);
        }
    }

    /** Notes that a record that is held was decided as unique, although it is an original no longer. */
    void noteUnique(DocumentRef ref) {
        if (sequences.isInFlight(ref)) {
            InFlightRecord<P> held = records.get(ref);
            // A decision of this step is not noted yet.
            Optional<Decision> decided = held == null ? state.decision(ref) : Optional.ofNullable(held.decision);
            state.noteDecision(ref, decided.orElse(Decision.UNIQUE));
            if (held != null) {
                held.isNoted = true;
            }
        }
    }

    /**
     * Releases the records that can leave, and notes the decisions that must wait.
     *
     * @param withdrawn takes the refs of those that were not released as decided
     */
    void endStep(Consumer<DocumentRef> withdrawn) {
        Iterator<InFlightRecord<P>> oldestFirst = records.values().iterator();
        while (oldestFirst.hasNext()) {
            InFlightRecord<P> head = oldestFirst.next();
            if (head.decision == null) {
                break;
            }
            oldestFirst.remove();
            if (head.isNoted) {
                state.forgetDecision(head.ref);
            }
            sequences.noteReleased(head.at, head.ref);
            boolean asDecided = outbox.release(head.ref, head.payload, head.decision);
            head.onRelease.run();
            if (!asDecided) {
                withdrawn.accept(head.ref);
            }
        }
        for (InFlightRecord<P> held : toNote) {
            if (records.containsKey(held.ref)) {
                state.noteDecision(held.ref, Objects.requireNonNull(held.decision));
                held.isNoted = true;
            }
        }
        toNote.clear();
        sequences.endStep();
    }
}
