package io.neardup.engine.protocol;

import io.neardup.engine.protocol.CoordinatorRules.StepBounds;
import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import io.neardup.engine.protocol.Message.Answer;
import io.neardup.engine.protocol.Message.Candidates;
import io.neardup.engine.protocol.Message.Started;
import io.neardup.engine.protocol.Message.ToCoordinator;
import io.neardup.engine.protocol.Message.ToIndex;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.protocol.PredecessorChange.Inherited;
import io.neardup.engine.similarity.SimilarityJudge;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The coordinator of an input partition: it takes documents, asks for similar ones, decides each document once, and
 * releases all in the order in which it took them. It also answers the requests of other coordinators about its
 * documents.
 *
 * <p>The life of a document d:
 *
 * <pre>
 * d arrives                        d is pending, with a number (its ref) and an arrival order {@link SequenceAllocator}
 *                                  -> Lookup to each index partition that owns one of its buckets; it also inserts d
 * all Candidates are here          (what index partitions answer: the others in the buckets of d)
 *                                  -> one Verify to each coordinator of these           {@link PendingDocument}
 * all of these have answered       (at once, if there are no candidates)                {@link Decisions}
 *   with an original               d is a duplicate of the best one, and is removed from its buckets
 *   with none                      -> Verify about redirects, if it met a bound, or asked about verifiedMax or more
 *   with none, no request is left  d is unique, and an original from now on             {@link Originals}
 * d is decided                     Answers that waited for d are completed
 * all before d are decided         d is released                                        {@link ReleaseQueue}
 *
 * the first original matches       unless versions are replaced, d is certain to be a duplicate: it is removed from its
 *                                  buckets, and Answers that waited for it are completed; an answer that is still
 *                                  missing may bring a better original
 * 10 s pass without a decision     d repeats the requests that are not answered, then every 20 s; a bounded number of
 *                                  documents at a time, the oldest first
 * Started: a coordinator restarted it has lost its open requests: d repeats its own there at once, bounded likewise
 * no output can carry d            its decision is withdrawn: d is released as not judged, and is not an original
 * </pre>
 *
 * <p>What the Answer of a coordinator to a Verify of d says of a candidate c                {@link VerificationHandler}
 *
 * <pre>
 * c is ruled out by sketches       nothing
 * an original                      c, if it is similar enough, and the best of the request
 * a duplicate                      a redirect to its original; a released one that is not among the last 32,768
 *                                  duplicates since the start counts as no longer known
 * pending, not similar             nothing
 * pending, similar, older than d   if c may be the best, the Answer waits until c is decided or certain to be a
 *                                  duplicate, and says which
 * pending, similar, younger        c yields: c may have looked up before d was inserted, so c must ask about d before c
 *                                  is decided. The Answer redirects to the oldest document that c yielded to before
 * no longer known                  that it is unknown: d has the index partitions remove it
 * beyond the bound of the request  that some were not compared: d, if unique, is marked as bounded
 * </pre>
 *
 * <p>Candidates are compared in the order of their sketches' differences, then of age; undecided younger ones come
 * last. A {@link Check} is answered with the most similar candidates, pending or not; it waits for none, and changes
 * nothing.
 *
 * <p>How an original ends, and where one comes from beside the input:
 *
 * <pre>
 * a tombstone of its key arrives   it is removed; pending documents before that never become one     {@link Originals}
 * its retention is over            it is removed
 * a version of its id is decided   where versions are replaced, the new one is unique, and it is removed
 * the index has seeds              they are decided as d is, or become originals as soon as they are in their buckets
 * the index has a predecessor      its originals become originals here                  {@link MigrationTarget}
 * the index gets a successor       that takes the input from some offset on             {@link MigrationSource}
 * </pre>
 *
 * <p>A document waits for older ones only, so that nothing deadlocks. Each call is one step. A message of the
 * coordinator to itself is handled in the step that sends it. The work of a step is bounded ({@link StepBounds}):
 * requests beyond that wait until {@link #verifyMore}.
 *
 * <p>After a restart the input is read again from {@link #positions} on. What was not released arrives again and gets
 * its old ref and arrival order; what was decided stays so. In a crash a document forgets which others it yielded to.
 * So documents ask again under a new epoch, and answers to an older one are dropped. A Verify about a candidate that
 * has not arrived again waits for it if it is older than the asker; a younger one will ask about the asker itself.
 *
 * @param <P> what is released with the decision, carried unchanged
 */
public final class DocumentCoordinator<P> {
    /** Of thousands of messages the first would have left the cache again. */
    private static final int TOUCHED_AT_ONCE = 128;

    private final int coordinator;
    private final CoordinatorRules rules;
    private final Partitions partitions;
    private final int epoch;
    private final SequenceAllocator sequences;
    private final Outbox<P> outbox;
    private final LoopbackOutbox loopback;
    private final ReleaseQueue<P> queue;
    private final Originals originals;
    private final Decisions decisions;
    private final VerificationHandler handler;
    private final MigrationSource migrationSource;
    private final MigrationTarget migrationTarget;

    /** Never read. A read whose result is stored is not compiled away. */
    @SuppressWarnings("unused")
    private int touched;

    /** Evidence compared since the last call of {@link #verifyMore}. */
    private long verifiedBytes;

    /** @param outbox takes all that the coordinator sends and releases */
    public DocumentCoordinator(
            int coordinator,
            CoordinatorRules rules,
            Partitions partitions,
            SimilarityJudge judge,
            CoordinatorState state,
            Outbox<P> outbox) {
        this.coordinator = coordinator;
        this.rules = rules;
        this.partitions = partitions;
        this.epoch = state.raiseEpoch();
        this.sequences = new SequenceAllocator(coordinator, state);
        this.outbox = outbox;
        this.loopback = new LoopbackOutbox(coordinator, outbox);
        this.queue = new ReleaseQueue<>(state, sequences, outbox);
        this.originals = new Originals(rules, state, sequences, queue, partitions, outbox);
        this.decisions = new Decisions(rules, originals, queue, loopback);
        this.handler = new VerificationHandler(rules, judge, sequences, originals, queue, decisions, loopback);
        this.migrationSource = new MigrationSource(state, sequences, originals, queue);
        this.migrationTarget = new MigrationTarget(coordinator, rules, state, sequences, originals, outbox);
    }

    /**
     * Where a coordinator read a record. It identifies the record when that is read again after a restart.
     *
     * @param topic one of the input topics; the partition is the coordinator
     * @param offset from 0, rising within a topic, with gaps
     */
    public record InputOffset(String topic, long offset) {}

    /** What goes to one receiver. Messages to the same one keep their order. */
    public interface MessageOutbox {
        void toIndex(int indexPartition, ToIndex message);

        /**
         * To a coordinator, or to a {@link Check}.
         *
         * @param coordinator of a check the one of {@link DocumentRef#ofCheck}
         */
        void toCoordinator(int coordinator, ToCoordinator message);
    }

    /** All that a coordinator sends and releases. Messages to all have no order relative to those to one. */
    public interface Outbox<P> extends MessageOutbox {
        /** To each coordinator, its own too. */
        void toAllCoordinators(ToCoordinator message);

        /**
         * Releases a record, in the order in which records were taken.
         *
         * @return whether it is released as decided; else it is released as not judged
         */
        boolean release(DocumentRef ref, P payload, Decision decision);

        /**
         * An original has ended that was matched at least once, even if the match then chose a better one. Called only
         * where the {@linkplain CoordinatorRules#reportsEnds rules} ask for it.
         */
        void ended(Provenance original);
    }

    /** A message to the coordinator itself does not leave: it is handled before the step ends. */
    private static final class LoopbackOutbox implements MessageOutbox {
        private final int coordinator;
        private final MessageOutbox outbox;
        private final Deque<ToCoordinator> toSelf = new ArrayDeque<>();

        LoopbackOutbox(int coordinator, MessageOutbox outbox) {
            this.coordinator = coordinator;
            this.outbox = outbox;
        }

        @Override
        public void toIndex(int indexPartition, ToIndex message) {
            outbox.toIndex(indexPartition, message);
        }

        @Override
        public void toCoordinator(int receiver, ToCoordinator message) {
            if (receiver == coordinator) {
                toSelf.add(message);
            } else {
                outbox.toCoordinator(receiver, message);
            }
        }
    }

    // ---- a start

    /** By topic, where to read on after a start: of topics that were read, or that start where a predecessor ended. */
    public Map<String, InputPosition> positions() {
        return sequences.positions();
    }

    /** Says that nothing which an earlier epoch read of this topic will arrive again, so that nothing waits for it. */
    public void expectNothingAgain(String topic) {
        sequences.expectNothingAgain(topic);
    }

    /**
     * Lets documents repeat at once the requests that an earlier epoch of this coordinator has not answered. To be
     * called once, when messages can be sent.
     */
    public void announce() {
        if (epoch > 1) {
            outbox.toAllCoordinators(new Started(coordinator));
        }
    }

    // ---- records arrive

    /** The decision of an earlier epoch on the next record of its topic, if that was not released. */
    public Optional<Decision> decisionOfEarlierEpoch(InputOffset at) {
        return sequences.refOfEarlierEpoch(at).flatMap(queue::recall);
    }

    /** Takes a document to be judged. */
    public void arrive(InputOffset at, P payload, SignedDocument document, Origin origin, long nowMillis) {
        ArrivalOrder order = sequences.allocate(at, nowMillis);
        Origin clamped = origin.at(originals.clock.see(origin.timestampMillis(), nowMillis));
        migrationTarget.announceNewVersion(document.id());
        holdDocument(at, payload, order, document, clamped, true, nowMillis);
    }

    /**
     * Takes a document that counts as older than all that arrive: the caller lets none arrive until it is released. It
     * does not move the event clock.
     *
     * @param origin its timestamp is what its retention counts from
     * @param isJudged false where it becomes an original whatever it resembles, as soon as it is in all its buckets
     */
    public void seed(
            InputOffset at, P payload, SignedDocument document, Origin origin, boolean isJudged, long nowMillis) {
        holdDocument(at, payload, sequences.allocate(at, nowMillis), document, origin, isJudged, nowMillis);
    }

    private void holdDocument(
            InputOffset at,
            P payload,
            ArrivalOrder order,
            SignedDocument document,
            Origin origin,
            boolean isJudged,
            long nowMillis) {
        Optional<Decision> recalled = recalled(order.ref());
        if (recalled.isPresent()) {
            holdDecided(order.ref(), at, payload, recalled.get(), () -> {});
        } else {
            PendingDocument pending = new PendingDocument(order, epoch, document, origin, isJudged, partitions);
            queue.holdPending(at, payload, pending);
            decisions.begin(pending, nowMillis);
        }
        endStep();
    }

    private Optional<Decision> recalled(DocumentRef ref) {
        return sequences.isOfEarlierEpoch(ref.sequence()) ? queue.recall(ref) : Optional.empty();
    }

    private void holdDecided(DocumentRef ref, InputOffset at, P payload, Decision decision, Runnable onRelease) {
        queue.holdDecided(ref, at, payload, decision, onRelease);
        decisions.noteDecided(ref, decision);
    }

    /**
     * Takes a change of the predecessor's index, before all documents that arrive. It keeps its place in the order, and
     * takes effect when it is released.
     */
    public void migrate(InputOffset at, P payload, PredecessorChange change, long nowMillis) {
        if (change instanceof Inherited inherited && !migrationTarget.isKnown(inherited)) {
            Original original = inherited.original();
            seed(at, payload, original.document(), original.origin(), false, nowMillis);
            return;
        }
        DocumentRef ref = sequences.allocate(at, nowMillis).ref();
        holdAsRecalledOrUnjudged(ref, at, payload, () -> migrationTarget.apply(change, ref));
    }

    /** Takes a record that is not judged, or was decided in an earlier epoch; it keeps its place in the order. */
    public void pass(InputOffset at, P payload, long nowMillis) {
        holdAsRecalledOrUnjudged(sequences.allocate(at, nowMillis).ref(), at, payload, () -> {});
    }

    /**
     * Takes a tombstone: documents that came before it under its key are originals no longer. A record came before if
     * it was first read before the tombstone, in any epoch and topic, or is released before it. The tombstone keeps its
     * place in the order as any record that is not judged.
     */
    public void takeTombstone(InputOffset at, P payload, RecordKey key, long nowMillis) {
        DocumentRef ref = sequences.allocateTombstone(at, nowMillis).ref();
        originals.removeBefore(key, ref.sequence());
        migrationTarget.announceTombstone(key);
        holdAsRecalledOrUnjudged(ref, at, payload, () -> originals.removeReleased(key, ref));
    }

    private void holdAsRecalledOrUnjudged(DocumentRef ref, InputOffset at, P payload, Runnable onRelease) {
        holdDecided(ref, at, payload, recalled(ref).orElse(Decision.UNJUDGED), onRelease);
        endStep();
    }

    /** Skips a record that is handed over to the successor. */
    public void skipHandedOver(InputOffset at) {
        migrationSource.skipToHandover(at.topic());
        endStep();
    }

    /**
     * Records before this offset are gone from the input: what an earlier epoch read of them does not arrive again.
     */
    public void skipGone(InputOffset first) {
        if (sequences.skipExpected(first.topic(), first.offset())) {
            endStep();
        }
    }

    // ---- messages arrive

    /** Handles messages that came together, in one step. */
    public void receive(List<? extends ToCoordinator> messages) {
        for (int i = 0; i < messages.size(); i++) {
            if (i % TOUCHED_AT_ONCE == 0) {
                touchAwaiting(messages.subList(i, Math.min(i + TOUCHED_AT_ONCE, messages.size())));
            }
            handle(messages.get(i));
        }
        endStep();
    }

    /** Reads the documents that await these: in a loop by itself the misses of the cache overlap. */
    private void touchAwaiting(List<? extends ToCoordinator> messages) {
        int sum = 0;
        for (ToCoordinator message : messages) {
            PendingDocument document = null;
            if (message instanceof Candidates candidates) {
                document = queue.pending(candidates.document());
            } else if (message instanceof Answer answer) {
                document = queue.pending(answer.asker());
            }
            sum += document == null ? 0 : document.unansweredPartitions();
        }
        touched = sum;
    }

    private void handle(ToCoordinator message) {
        if (message instanceof Verify request) {
            handler.add(request);
        } else if (message instanceof Candidates candidates) {
            awaiting(candidates.document(), candidates.epoch())
                    .ifPresent(document -> decisions.receive(document, candidates));
        } else if (message instanceof Answer answer) {
            awaiting(answer.asker(), answer.epoch()).ifPresent(document -> decisions.receive(document, answer));
        } else if (message instanceof Started started) {
            decisions.askCoordinatorAgain(started.coordinator());
        } else {
            migrationTarget.receive(message);
        }
    }

    /** The document that awaits an answer; empty if it is decided by now, or the answer is to an earlier epoch. */
    private Optional<PendingDocument> awaiting(DocumentRef asker, int answered) {
        return answered == epoch ? Optional.ofNullable(queue.pending(asker)) : Optional.empty();
    }

    // ---- time passes

    /** Lets pending documents repeat requests that have been unanswered for long, the oldest first. */
    public void askAgain(long nowMillis) {
        sequences.noteTime(nowMillis);
        decisions.askAgain(nowMillis);
        endStep();
    }

    /** Removes a slice of the originals that have expired or have a tombstone; false if there are no more. */
    public boolean expireNext() {
        boolean more = originals.removeNext();
        endStep();
        return more;
    }

    /** Goes on with requests for which earlier steps had no budget left. To be called while there are any. */
    public void verifyMore() {
        verifiedBytes = 0;
        endStep();
    }

    /** Whether requests wait for {@link #verifyMore}. */
    public boolean hasQueuedRequests() {
        return handler.hasQueued();
    }

    /** Does the work that the step has caused, up to its bound, and releases the records that can leave. */
    private void endStep() {
        sequences.takeSkipped().forEach(originals::withdraw);
        boolean busy = true;
        while (busy) {
            ToCoordinator own = loopback.toSelf.poll();
            if (own != null) {
                handle(own);
            } else if (handler.hasQueued() && verifiedBytes < rules.bounds().verifiedBytes()) {
                verifiedBytes += handler.processNextCandidate();
            } else {
                busy = handler.resumeSuspended() || decisions.advanceNextVersion();
            }
        }
        queue.endStep(originals::withdraw);
    }

    // ---- what others see

    public MigrationSource migrationSource() {
        return migrationSource;
    }

    /** Whether {@link PredecessorChange.Completed} was released, now or in an earlier epoch: all changes are here. */
    public boolean hasMigrated() {
        return migrationTarget.isDone();
    }

    /** How many records are held: pending, or decided and waiting for an earlier one. */
    public int held() {
        return queue.size();
    }

    /**
     * The topics of documents that requests wait for, as these have not arrived again since the start. The caller must
     * read on in these topics even when too many records are in flight, else coordinators wait for each other.
     */
    public Set<String> awaitedTopics() {
        return handler.awaitedTopics();
    }

    /** Heap that the candidates of pending documents take, in bytes, as an estimate. */
    public long candidateBytes() {
        return decisions.candidateBytes();
    }

    public CoordinatorCounts counts() {
        return new CoordinatorCounts(
                decisions.askedAgain,
                handler.documentSessions.dropped,
                originals.expired,
                originals.removed,
                decisions.asked,
                decisions.compared,
                handler.notCompared,
                handler.ruledOut,
                handler.sketchDifferences,
                originals.sketches.size(),
                originals.sketches.bytes() + handler.bitmaps.bytes());
    }

    /** The records that it has held for longest, at most {@code max}. */
    public Stream<P> oldest(int max) {
        return queue.oldest(max);
    }
}
