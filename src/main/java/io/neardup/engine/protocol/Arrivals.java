package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Followed.Inherited;
import io.neardup.engine.protocol.InFlightRecord.Decided;
import io.neardup.engine.protocol.InFlightRecord.Pending;
import java.util.Optional;

/**
 * How a coordinator takes records: each gets its number and a place in the queue. What an earlier life decided stays
 * so.
 *
 * @param <P> what leaves with the decision
 */
final class Arrivals<P> {
    private final Partitions partitions;
    private final SequenceAllocator numbering;
    private final EventClock clock;
    private final ReleaseQueue<P> queue;
    private final VerificationClient questions;
    private final Forgetting forgetting;
    private final MigrationTarget takingOver;
    private final Decisions decisions;
    private final VerificationHandler answers;

    Arrivals(
            Partitions partitions,
            SequenceAllocator numbering,
            EventClock clock,
            ReleaseQueue<P> queue,
            VerificationClient questions,
            Forgetting forgetting,
            MigrationTarget takingOver,
            Decisions decisions,
            VerificationHandler answers) {
        this.partitions = partitions;
        this.numbering = numbering;
        this.clock = clock;
        this.queue = queue;
        this.questions = questions;
        this.forgetting = forgetting;
        this.takingOver = takingOver;
        this.decisions = decisions;
        this.answers = answers;
    }

    /** What an earlier life decided on the next record of its topic, if that had not left. */
    Optional<Decision> decisionOfEarlierLife(InputOffset at) {
        return numbering.refOfEarlierLife(at).flatMap(queue::recall).map(Decided::decision);
    }

    /** Takes a document to be judged. */
    void arrive(InputOffset at, P payload, SignedDocument document, Origin origin, long nowMillis) {
        ArrivalOrder order = numbering.number(at, nowMillis);
        clock.see(origin.timestampMillis(), nowMillis);
        Origin clamped = new Origin(origin.key(), clock.clamp(origin.timestampMillis(), nowMillis));
        takingOver.tellNewVersion(document.id());
        hold(at, payload, pending(order, document, clamped), true, nowMillis);
    }

    /** Takes a document of a seed. */
    void seed(InputOffset at, P payload, SignedDocument document, Origin origin, boolean isJudged, long nowMillis) {
        hold(at, payload, pending(numbering.number(at, nowMillis), document, origin), isJudged, nowMillis);
    }

    private PendingDocument pending(ArrivalOrder order, SignedDocument document, Origin origin) {
        return new PendingDocument(order, document, origin, partitions.split(document.keys()));
    }

    private void hold(InputOffset at, P payload, PendingDocument pending, boolean isJudged, long nowMillis) {
        DocumentRef ref = pending.ref();
        if (!holdAsRecalled(ref, at, payload)) {
            queue.hold(ref, at, payload, new Pending(pending));
            decisions.register(pending);
            if (!isJudged) {
                decisions.beOriginal(ref);
            }
            questions.ask(pending, nowMillis);
        }
        answers.arrived(ref);
    }

    /** Takes what is heard of the index that this one succeeds. */
    void follow(InputOffset at, P payload, Followed followed, long nowMillis) {
        if (followed instanceof Inherited taken && !takingOver.isKnown(taken)) {
            seed(at, payload, taken.document(), taken.origin(), false, nowMillis);
        } else {
            DocumentRef ref = numbering.number(at, nowMillis).ref();
            takingOver.hold(ref, followed);
            pass(ref, at, payload);
        }
    }

    /** Takes a record that is not judged, or was decided in an earlier life. */
    void pass(InputOffset at, P payload, long nowMillis) {
        pass(numbering.number(at, nowMillis).ref(), at, payload);
    }

    private void pass(DocumentRef ref, InputOffset at, P payload) {
        if (holdAsRecalled(ref, at, payload)) {
            answers.arrived(ref);
        } else {
            holdUnjudged(ref, at, payload);
        }
    }

    /** Takes a tombstone. */
    void takeBack(InputOffset at, P payload, RecordKey key, long nowMillis) {
        DocumentRef ref = numbering.number(at, nowMillis).ref();
        forgetting.takeBack(key, ref);
        takingOver.tellTakenBack(key);
        holdUnjudged(ref, at, payload);
    }

    private void holdUnjudged(DocumentRef ref, InputOffset at, P payload) {
        queue.hold(ref, at, payload, Decided.UNJUDGED);
        answers.arrived(ref);
    }

    private boolean holdAsRecalled(DocumentRef ref, InputOffset at, P payload) {
        Optional<Decided> recalled = numbering.isOfEarlierLife(ref.sequence()) ? queue.recall(ref) : Optional.empty();
        recalled.ifPresent(decided -> {
            queue.hold(ref, at, payload, decided);
            decisions.recall(ref, decided.decision());
        });
        return recalled.isPresent();
    }

    /** Notes that a record has left. */
    void noteLeft(DocumentRef ref) {
        forgetting.noteLeft(ref);
        takingOver.noteLeft(ref);
    }
}
