package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Message.CheckVerify;
import io.neardup.engine.protocol.Message.Started;
import io.neardup.engine.protocol.Message.ToCoordinator;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.similarity.SimilarityJudge;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The role of an input partition: it takes documents, decides each once, and releases them in the order of arrival.
 *
 * <pre>
 * a document arrives   hold it; Lookup to each index partition that owns one of its buckets
 * {@link VerificationClient} Candidates           all answered: none found -> unique; else Verify to their coordinators
 *          {@link Decisions} Verify(c..., d)      sketches too unlike            -> Dismissal: no match
 *                          {@link VerificationSession} duplicates by now              -> Dismissal: no match, with what
 *                      they repeat too many are likelier          -> Dismissal: left out
 *                      enough to wait for, enough or better matches -> Dismissal: later
 * of the others        c original                     -> Verified: original, with the similarity
 *                      {@link VerificationHandler} c certain to be a duplicate    -> Verified: no match, with what it
 *                      repeats c unknown; pending, but unlike -> Verified: no match
 *                      c pending, older than d        -> d waits until c is decided
 *                      c pending, younger than d      -> Verified: no match, with whom c yielded to before;
 *                                                        c yields: d becomes a candidate of c
 * Verified: unknown    have it taken out of the buckets of the asker: Unknown to the bands
 * {@link VerificationClient} Verified, Dismissal  name whom to ask instead: in a crowd one of these at once, the others
 * where none is a match its first match      certain to be a duplicate: Remove to the bands; answer who waits
 * {@link Decisions} Dismissal            left out: d is marked, and in a crowd; later: d asks again if nothing makes it
 *                      a duplicate all in: the most similar original at or above the threshold makes it a duplicate;
 *                      where there is none, it asks instead if it is in a crowd, else it is unique
 * unique               into the originals; answer who waits
 * duplicate            as for its first match, where that is the last answer
 * Started              its coordinator has forgotten who waited there: Verify again, to its candidates there
 * a tombstone arrives  its key's originals before it are none any more; a pending document of it
 *                      becomes none; Remove to the bands, a slice a step                        {@link Forgetting}
 * an original expires  forget it, a slice a step
 * versions replace     a document with the id of an earlier original is unique all the same, and that one is
 *                      forgotten
 * Followed             what another index keeps becomes an original, or is none any more
 * {@link MigrationTarget} CheckVerify          answered as Verify, without a trace
 * {@link OpenChecks} decided              leaves when all before it have left; where its output does not carry it, it
 *                      leaves as one that is not judged, and is no original any more
 *                      {@link ReleaseQueue}
 * </pre>
 *
 * <p>Waits run only from younger to older, so that nothing deadlocks. A pending document that gets no decision asks
 * again. Each call is one step. A message of the coordinator to itself is taken in the step that sends it; a Verify
 * then waits for its turn like any other. What steps do is bounded ({@link StepBounds}): questions that they have no
 * time for wait until {@link #answerMore}.
 *
 * <p>After a restart the input is read again from {@link #positions} on. What had not left arrives again and gets its
 * old ref and arrival order ({@link SequenceAllocator}); what was decided stays so. Documents ask under a new epoch
 * number, as an answer from before can lack an older document to which this one had yielded. Who waited here is
 * forgotten, so the coordinator {@linkplain #announce announces} itself, and they ask at once. A document that is asked
 * for before it has arrived again asks by itself where it is the younger of the two; else the asker waits for it.
 *
 * @param <P> what leaves with the decision, carried unchanged
 */
public final class DocumentCoordinator<P> {
    private final int coordinator;
    private final CoordinatorRules rules;
    private final int epoch;
    private final SequenceAllocator numbering;
    private final Originals originals;
    private final CoordinatorMail mail;
    private final ReleaseQueue<P> queue;
    private final VerificationClient questions;
    private final Forgetting forgetting;
    private final Decisions decisions;
    private final Answered answered;
    private final VerificationHandler answers;
    private final MigrationSource handingOver;
    private final MigrationTarget takingOver;
    private final Arrivals<P> arrivals;

    /** Evidence compared since the last call of {@link #answerMore}. */
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
        this.epoch = state.raiseEpoch();
        this.numbering = new SequenceAllocator(coordinator, state);
        this.originals = new Originals(state, rules.retention());
        this.mail = new CoordinatorMail(coordinator, outbox);
        this.queue = new ReleaseQueue<>(state, numbering, outbox);
        this.questions = new VerificationClient(rules, epoch, mail);
        this.forgetting = new Forgetting(rules, state, originals, queue, partitions, mail);
        this.decisions = new Decisions(coordinator, rules, originals, queue, forgetting, questions, mail);
        this.answered = new Answered(queue, questions, decisions);
        this.answers = new VerificationHandler(rules, judge, numbering, originals, queue, decisions, mail);
        this.handingOver = new MigrationSource(state, numbering, originals, queue);
        this.takingOver = new MigrationTarget(rules, state, numbering, originals, forgetting, mail);
        this.arrivals = new Arrivals<>(
                partitions, numbering, originals.clock(), queue, questions, forgetting, takingOver, decisions, answers);
    }

    /** By topic, where to read on after a start; topics never read are not there. */
    public Map<String, InputPosition> positions() {
        return numbering.positions();
    }

    /** Nothing that an earlier life read of this topic comes again: nobody waits for it. */
    public void expectNothingAgain(String topic) {
        numbering.expectNothingAgain(topic);
    }

    /**
     * Lets those ask at once who waited for a document in an earlier life of this coordinator. To be called once, when
     * messages can be sent. Where they are lost the others ask again later.
     */
    public void announce() {
        if (epoch > 1) {
            mail.toAllCoordinators(new Started(coordinator));
        }
    }

    /** What an earlier life decided on the next record of its topic, if that had not left. */
    public Optional<Decision> decisionOfEarlierLife(InputOffset at) {
        return arrivals.decisionOfEarlierLife(at);
    }

    /** Takes a document to be judged. */
    public void arrive(InputOffset at, P payload, SignedDocument document, Origin origin, long nowMillis) {
        arrivals.arrive(at, payload, document, origin, nowMillis);
        endStep();
    }

    /**
     * Takes a document that was there before all that arrive; they must wait until it has left. It does not move the
     * event clock.
     *
     * @param origin its timestamp is what its retention counts from
     * @param isJudged false where it becomes an original whatever it resembles, as soon as it is in all its buckets
     */
    public void seed(
            InputOffset at, P payload, SignedDocument document, Origin origin, boolean isJudged, long nowMillis) {
        arrivals.seed(at, payload, document, origin, isJudged, nowMillis);
        endStep();
    }

    /** Takes what is heard of the index that this one succeeds, before all that arrive; it keeps its place. */
    public void follow(InputOffset at, P payload, Followed followed, long nowMillis) {
        arrivals.follow(at, payload, followed, nowMillis);
        endStep();
    }

    /** Whether {@link Followed.Completed} has left, now or in an earlier life. */
    public boolean hasTakenOver() {
        return takingOver.isDone();
    }

    /** Takes a record that is not judged, or was decided in an earlier life; it keeps its place in the order. */
    public void pass(InputOffset at, P payload, long nowMillis) {
        arrivals.pass(at, payload, nowMillis);
        endStep();
    }

    /**
     * Takes a tombstone: what came before it under its key is no original any more. It keeps its place in the order
     * as any record that is not judged.
     */
    public void takeBack(InputOffset at, P payload, RecordKey key, long nowMillis) {
        arrivals.takeBack(at, payload, key, nowMillis);
        endStep();
    }

    /** Passes over a record that is left to a successor. */
    public void leave(InputOffset at) {
        numbering.passEnd(at.topic());
        endStep();
    }

    /** How it hands its input over. */
    public MigrationSource handingOver() {
        return handingOver;
    }

    /** Handles messages that came together, in one step. */
    public void receive(List<? extends ToCoordinator> messages) {
        messages.forEach(this::handle);
        endStep();
    }

    private void handle(ToCoordinator message) {
        if (message instanceof Verify verify) {
            answers.add(verify);
        } else if (message instanceof CheckVerify check) {
            answers.add(check);
        } else if (message instanceof Started started && started.coordinator() != coordinator) {
            questions.askCoordinatorAgain(started.coordinator(), queue.pending());
        } else if (!answered.take(message)) {
            takingOver.take(message);
        }
    }

    /** Lets pending documents whose time has come ask again, the oldest first. */
    public void askAgain(long nowMillis) {
        answers.answerForGone(nowMillis);
        questions.askAgain(queue.pending(), nowMillis);
        endStep();
    }

    /**
     * Forgets originals whose time has come, the oldest first, and what tombstones take back.
     *
     * @return whether there may be more
     */
    public boolean forgetNext() {
        boolean more = forgetting.forgetNext();
        endStep();
        return more;
    }

    /** Answers questions that earlier steps had no time for. To be called now and then while there are any. */
    public void answerMore() {
        verifiedBytes = 0;
        endStep();
    }

    /** Whether questions wait for {@link #answerMore}. */
    public boolean hasQuestionsLeft() {
        return answers.hasOpen();
    }

    /** Does what the step has caused, up to its bound, and lets leave what can. */
    private void endStep() {
        numbering.takeSkipped().forEach(forgetting::forgetDecided);
        boolean busy = true;
        while (busy) {
            ToCoordinator own = mail.next();
            if (own != null) {
                handle(own);
            } else if (answers.hasOpen() && verifiedBytes < rules.bounds().verifiedBytes()) {
                verifiedBytes += answers.answerNext();
            } else {
                busy = decisions.advanceNextVersion();
            }
        }
        queue.endStep(arrivals::noteLeft, forgetting::forgetDecided);
    }

    /** How many records are held: pending, or decided and waiting for an earlier one. */
    public int held() {
        return queue.size();
    }

    /** The topics of documents that questions wait for, as they have not arrived again since the start. */
    public Set<String> awaitedTopics() {
        return answers.awaitedTopics();
    }

    /** Heap that the candidates of pending documents take, in bytes, about, with those that are still to be named. */
    public long candidateBytes() {
        return decisions.candidateBytes();
    }

    public CandidateCounts candidates() {
        return CandidateCounts.of(decisions, answers, originals);
    }

    public CoordinatorCounts counts() {
        return CoordinatorCounts.of(questions, answers, forgetting);
    }

    /** What it has held for longest, at most so many. */
    public Stream<P> oldest(int max) {
        return queue.oldest(max);
    }
}
