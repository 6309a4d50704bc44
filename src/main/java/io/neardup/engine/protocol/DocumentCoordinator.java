package io.neardup.engine.protocol;

import io.neardup.engine.protocol.CoordinatorRules.StepBounds;
import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import io.neardup.engine.protocol.Message.Answer;
import io.neardup.engine.protocol.Message.Candidates;
import io.neardup.engine.protocol.Message.Started;
import io.neardup.engine.protocol.Message.ToBands;
import io.neardup.engine.protocol.Message.ToCoordinator;
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
 * releases all in the order in which it took them. It also answers what other coordinators ask about its documents.
 *
 * <p>The life of a document d:
 *
 * <pre>
 * d arrives                        d is pending, with a number (its ref) and an arrival order {@link SequenceAllocator}
 *                                  -> Lookup to each index partition that owns one of its buckets, which puts d in
 * all Candidates are here          (what index partitions answer: the others in the buckets of d)
 *                                  -> one Verify to each coordinator of these           {@link PendingDocument}
 * all of these have answered       (nobody was asked: at once)                          {@link Decisions}
 *   with an original               d is a duplicate of the best one, and leaves its buckets
 *   with none                      -> Verify about redirects, if it met a bound, or asked about verifiedMax or more
 *   with none, and nobody is left  d is unique, and an original from now on             {@link Originals}
 * d is decided                     the Answers that waited for it go on
 * all before d are decided         d is released                                        {@link ReleaseQueue}
 *
 * the first original matches       unless versions are replaced, d is certain to be a duplicate: it leaves its buckets,
 *                                  and who waits for it goes on; an answer still missing may bring a better original
 * 10 s pass without a decision     d asks again what is not answered, then every 20 s; a bounded number, oldest first
 * Started: a coordinator restarted it has forgotten who waited there: d asks it again at once, likewise
 * no output can carry d            its decision is withdrawn: d is released as not judged, and is no original
 * </pre>
 *
 * <p>Verify: what the one Answer of a coordinator to d says, by what its candidate c is     {@link VerificationHandler}
 *
 * <pre>
 * sketches rule c out              nothing
 * an original                      c, where it is the best of the request, and similar enough
 * a duplicate                      a redirect to the original of c; one long decided is not known any more
 * pending, not similar             nothing
 * pending, similar, older than d   if it may be the best: once decided or certain to be a duplicate, what it is then
 * pending, similar, younger        c yields: it may have looked up before d was there, and has to ask about d before it
 *                                  is decided. A redirect to the oldest that c had yielded to
 * not known any more               d has the index partitions take c out of its buckets
 * beyond the bound of the request  that some were not compared: d, if unique, is marked as bounded
 * </pre>
 *
 * <p>The likeliest come before the bound, by their sketches, then their age, and undecided younger ones behind all.
 * Who asks from outside ({@link Check}) is answered with the most similar ones, pending or not; it waits for nobody,
 * and changes nothing.
 *
 * <p>How an original ends, and where one comes from beside the input:
 *
 * <pre>
 * a tombstone of its key arrives   it is removed, and pending documents before that become none      {@link Originals}
 * its retention is over            it is removed
 * a version of its id is decided   where versions are replaced, the new one is unique, and it is removed
 * the index has seeds              they go the way of d, or are originals as soon as they are in their buckets
 * the index has a predecessor      the originals of that become originals here          {@link MigrationTarget}
 * the index gets a successor       the input is left to that from some offset on        {@link MigrationSource}
 * </pre>
 *
 * <p>Waits run only from younger to older, so that nothing deadlocks. Each call is one step. A message of the
 * coordinator to itself is handled in the step that sends it. What steps do is bounded ({@link StepBounds}): requests
 * that they have no time for wait until {@link #verifyMore}.
 *
 * <p>After a restart the input is read again from {@link #positions} on. What was not released arrives again and gets
 * its old ref and arrival order; what was decided stays so. A yielding document forgets in a crash to whom it yielded.
 * So documents ask under a new epoch, and answers to an older one are dropped. A document that is asked for before it
 * has arrived again asks by itself where it is the younger of the two; else the asker waits for it.
 *
 * @param <P> what is released with the decision, carried unchanged
 */
public final class DocumentCoordinator<P> {
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

    /** Evidence compared since the last call of {@link #verifyMore}. */
    private long verifiedBytes;

    /** @param outbox gets all that the coordinator sends and releases */
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
     * Where a coordinator read a record: with it the record is known again when it is read once more after a restart.
     *
     * @param topic one of the input topics; the partition is the coordinator
     * @param offset from 0, rising within a topic, with gaps
     */
    public record InputOffset(String topic, long offset) {}

    /** What goes to one receiver. Messages to the same one keep their order. */
    public interface MessageOutbox {
        void toBands(int indexPartition, ToBands message);

        /**
         * To a coordinator, or to one who checks.
         *
         * @param coordinator may {@linkplain DocumentRef#isOutside(int) lie outside}
         */
        void toCoordinator(int coordinator, ToCoordinator message);
    }

    /** All that a coordinator sends and releases. Messages to all keep no order with those to one. */
    public interface Outbox<P> extends MessageOutbox {
        /** To each coordinator, its own too. */
        void toAllCoordinators(ToCoordinator message);

        /**
         * A record is released, in the order in which records were taken.
         *
         * @return whether it is released as decided; if not, it is as one that is not judged
         */
        boolean release(DocumentRef ref, P payload, Decision decision);

        /**
         * An original that was matched at least once, even if the matcher then chose a better one, is one no more.
         * Where the {@linkplain CoordinatorRules#reportsEnds rules} ask for it.
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
        public void toBands(int indexPartition, ToBands message) {
            outbox.toBands(indexPartition, message);
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

    /** By topic that was read, or starts behind what a predecessor read: where to read on after a start. */
    public Map<String, InputPosition> positions() {
        return sequences.positions();
    }

    /** Nothing that an earlier epoch read of this topic comes again: nobody waits for it. */
    public void expectNothingAgain(String topic) {
        sequences.expectNothingAgain(topic);
    }

    /**
     * Lets those ask at once who waited for a document in an earlier epoch of this coordinator. To be called once, when
     * messages can be sent.
     */
    public void announce() {
        if (epoch > 1) {
            outbox.toAllCoordinators(new Started(coordinator));
        }
    }

    // ---- records arrive

    /** What an earlier epoch decided on the next record of its topic, if that was not released. */
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
     * Takes a document that was there before all that arrive: the caller lets none arrive until it is released. It does
     * not move the event clock.
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
            PendingDocument pending =
                    new PendingDocument(order, epoch, document, origin, isJudged, partitions.split(document.keys()));
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
     * Takes a change of the index that this one succeeds, before all that arrive. It keeps its place in the order, and
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
     * Takes a tombstone: what came before it under its key is no original any more. A record came before if it was
     * first read before the tombstone, in any epoch and topic, or is released before it. The tombstone keeps its place
     * in the order as any record that is not judged.
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

    /** Skips a record that is left to a successor. */
    public void leaveToSuccessor(InputOffset at) {
        migrationSource.leave(at.topic());
        endStep();
    }

    // ---- messages arrive

    /** Handles messages that came together, in one step. */
    public void receive(List<? extends ToCoordinator> messages) {
        messages.forEach(this::handle);
        endStep();
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

    /** Who awaits an answer; empty where it is decided by now, or the answer is to an earlier epoch. */
    private Optional<PendingDocument> awaiting(DocumentRef asker, int answered) {
        return answered == epoch ? Optional.ofNullable(queue.pending(asker)) : Optional.empty();
    }

    // ---- time passes

    /** Lets pending documents whose time has come ask again, the oldest first. */
    public void askAgain(long nowMillis) {
        sequences.noteTime(nowMillis);
        decisions.askAgain(nowMillis);
        endStep();
    }

    /** Removes originals whose time has come, the oldest first, and those of tombstones; false if there are no more. */
    public boolean expireNext() {
        boolean more = originals.removeNext();
        endStep();
        return more;
    }

    /** Verifies for requests that earlier steps had no time for. To be called now and then while there are any. */
    public void verifyMore() {
        verifiedBytes = 0;
        endStep();
    }

    /** Whether requests wait for {@link #verifyMore}. */
    public boolean hasRequestsInTurn() {
        return handler.hasInTurn();
    }

    /** Does what the step has caused, up to its bound, and releases what can leave. */
    private void endStep() {
        sequences.takeSkipped().forEach(originals::withdraw);
        boolean busy = true;
        while (busy) {
            ToCoordinator own = loopback.toSelf.poll();
            if (own != null) {
                handle(own);
            } else if (handler.hasInTurn() && verifiedBytes < rules.bounds().verifiedBytes()) {
                verifiedBytes += handler.answerNext();
            } else {
                busy = handler.resumeEarly() || decisions.advanceNextVersion();
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
     * The topics of documents that requests wait for, as they have not arrived again since the start. The caller must
     * read on in these even when too much is in flight, else coordinators wait for each other.
     */
    public Set<String> awaitedTopics() {
        return handler.awaitedTopics();
    }

    /** Heap that the candidates of pending documents take, in bytes, about. */
    public long candidateBytes() {
        return decisions.candidateBytes();
    }

    public CoordinatorCounts counts() {
        return new CoordinatorCounts(
                decisions.askedAgain,
                handler.ofDocuments.dropped,
                originals.expired,
                originals.removed,
                decisions.asked,
                decisions.compared,
                handler.beyond,
                handler.unlike,
                handler.sketchDifferences,
                originals.sketches.size(),
                originals.sketches.bytes() + handler.bitmaps.bytes());
    }

    /** What it has held for longest, at most so many. */
    public Stream<P> oldest(int max) {
        return queue.oldest(max);
    }
}
