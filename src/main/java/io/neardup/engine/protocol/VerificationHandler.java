package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Message.CheckVerify;
import io.neardup.engine.protocol.Message.Verified;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Similarity;
import io.neardup.engine.similarity.SimilarityJudge;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a coordinator answers Verify: which candidates are likely matches ({@link Sifting}), how similar the asker is to
 * each of these, and whether it is an original. A question about a pending candidate waits for its decision where that
 * is the older of the two; one about a document that has still to be read again after a restart waits for that.
 */
final class VerificationHandler {
    /** Reading the state and sending the answer take as long as comparing so many bytes of evidence. */
    private static final long ANSWER_BYTES = 1_000;

    /**
     * What has not arrived again so long after the first {@link #answerForGone} is gone from the input: nobody waits
     * for it any more.
     */
    private static final long COME_AGAIN_MILLIS_MAX = 600_000;

    private final CoordinatorRules rules;
    private final SimilarityJudge judge;
    private final SequenceAllocator numbering;
    private final Originals originals;
    private final ReleaseQueue<?> queue;
    private final Decisions decisions;
    private final CoordinatorMail mail;
    private final VerificationSessions open = new VerificationSessions();
    private final EarlyRequests early = new EarlyRequests();
    private final OpenChecks checks;
    private final Sifting sifting;
    private long firstAskMillis = -1;
    private long verified;

    VerificationHandler(
            CoordinatorRules rules,
            SimilarityJudge judge,
            SequenceAllocator numbering,
            Originals originals,
            ReleaseQueue<?> queue,
            Decisions decisions,
            CoordinatorMail mail) {
        this.rules = rules;
        this.judge = judge;
        this.numbering = numbering;
        this.originals = originals;
        this.queue = queue;
        this.decisions = decisions;
        this.mail = mail;
        KnownSketches sketches = new KnownSketches(originals, queue);
        this.checks = new OpenChecks(rules.candidates(), judge, originals, queue, sketches, mail);
        this.sifting = new Sifting(rules, judge, originals, queue, sketches, decisions, mail);
    }

    /** A question came: it is sifted at once as far as sketches are at hand, and answered in its turn. */
    void add(Verify question) {
        open.add(question, this::siftAtOnce);
    }

    /** A question from outside came: it is answered when no document's is open. */
    void add(CheckVerify question) {
        checks.add(question);
    }

    /** Whether questions wait for their turn. */
    boolean hasOpen() {
        return !open.isEmpty() || !checks.isEmpty();
    }

    /** The topics of documents that questions wait for, as they have not arrived again since the start. */
    Set<String> awaitedTopics() {
        return early.topics();
    }

    /** A record has arrived: who asked for it too early is answered now. */
    void arrived(DocumentRef document) {
        if (!early.isEmpty()) {
            openEarly(document);
        }
    }

    /** Questions about a document wait no longer for it, only for their turn. */
    private void openEarly(DocumentRef document) {
        early.take(document).forEach(question -> add(only(document, question)));
    }

    /** Answers for what will not arrive any more. */
    void answerForGone(long nowMillis) {
        firstAskMillis = firstAskMillis < 0 ? nowMillis : firstAskMillis;
        if (nowMillis - firstAskMillis > COME_AGAIN_MILLIS_MAX) {
            numbering.stopWaiting();
        }
        for (DocumentRef document : early.documents()) {
            if (numbering.stillToCome(document).isEmpty()) {
                openEarly(document);
            }
        }
    }

    /**
     * Goes on with the first open question: sifts the next candidate, ranks, or verifies the next; there must be one.
     *
     * @return its cost, in bytes of evidence compared
     */
    long answerNext() {
        if (open.isEmpty()) {
            return checks.answerNext();
        }
        VerificationSession first = open.first();
        long cost;
        if (!first.isSifted()) {
            cost = ANSWER_BYTES + sifting.siftNext(first);
        } else if (!first.isRanked()) {
            cost = ANSWER_BYTES + sifting.rank(first);
        } else {
            cost = verifyNext(first);
            sifting.dismissRest(first);
        }
        if (first.isAnswered()) {
            open.remove(first);
        }
        return cost;
    }

    private static Verify only(DocumentRef candidate, Verify question) {
        return new Verify(
                question.asker(),
                question.epoch(),
                question.askerArrivalMillis(),
                question.evidence(),
                question.sketch(),
                DocumentRefs.of(candidate));
    }

    private void siftAtOnce(VerificationSession asked, DocumentRefs candidates) {
        sifting.sift(asked, candidates);
        if (asked.isSifted() && !asked.isCrowded()) {
            sifting.rank(asked);
            sifting.dismissRest(asked);
        }
    }

    private long verifyNext(VerificationSession next) {
        DocumentRef candidate = sifting.next(next);
        if (candidate == null) {
            return ANSWER_BYTES;
        }
        PendingDocument document = queue.pending(candidate);
        if (document != null && !document.isCertainDuplicate()) {
            return answerAsPending(document, next);
        }
        // Most that have left are duplicates: to look for each in the state would cost most of all.
        return document != null || decisions.originalOf(candidate) != null
                ? answerAsDuplicate(candidate, next)
                : answerAsNotPending(candidate, next);
    }

    private long answerAsPending(PendingDocument document, VerificationSession asked) {
        Verify question = asked.question();
        if (document.waiters().hasAskerOf(question)) {
            asked.noteAwaited();
            return ANSWER_BYTES;
        }
        Evidence evidence = document.document().evidence();
        DocumentRef candidate = document.ref();
        double needed = sifting.needed(asked, candidate.packed());
        Similarity similarity = similarity(asked, candidate, evidence, needed);
        long cost = compared(question, evidence);
        ArrivalOrder askerOrder = asked.order();
        if (similarity.value() < rules.threshold()) {
            answer(question, candidate, similarity, null, null);
        } else if (similarity.value() < needed) {
            asked.putOff(candidate.packed());
        } else if (document.order().isOlderThan(askerOrder)) {
            Similarity match = withWhole(similarity, question, evidence);
            document.waiters().add(question, match);
            asked.noteAwaited();
            cost += again(similarity, match, question, evidence);
        } else {
            answer(question, candidate, similarity, null, document.yieldedTo());
            document.yieldTo(askerOrder);
            decisions.advance(document);
        }
        return cost;
    }

    private long answerAsNotPending(DocumentRef candidate, VerificationSession asked) {
        Verify question = asked.question();
        Optional<Original> original = originals.find(candidate);
        if (original.isEmpty()) {
            if (mustWaitToCome(candidate, question)) {
                early.add(candidate, numbering.topicOf(candidate), question);
            } else {
                answerAsDuplicate(candidate, asked);
            }
            return ANSWER_BYTES;
        }
        Original known = original.get();
        double needed = sifting.needed(asked, candidate.packed());
        Similarity similarity = similarity(asked, candidate, known.evidence(), needed);
        long cost = compared(question, known.evidence());
        if (similarity.value() < rules.threshold()) {
            answer(question, candidate, similarity, known.id(), null);
        } else if (similarity.value() < needed) {
            asked.putOff(candidate.packed());
        } else {
            Similarity match = withWhole(similarity, question, known.evidence());
            cost += again(similarity, match, question, known.evidence());
            noteMatch(asked, candidate, known, match);
            answer(question, candidate, match, known.id(), null);
        }
        return cost;
    }

    /** Of one that is unknown by now, too. */
    private long answerAsDuplicate(DocumentRef candidate, VerificationSession asked) {
        DocumentRef repeated = decisions.originalOf(candidate);
        DocumentRef instead = repeated == null && isUnknown(candidate) ? candidate : repeated;
        answer(asked.question(), candidate, Similarity.NONE, null, instead);
        return ANSWER_BYTES;
    }

    /** Whether it is certain that this coordinator will never know it again. */
    private boolean isUnknown(DocumentRef candidate) {
        return numbering.isPast(candidate) && !originals.isKept(candidate);
    }

    private void noteMatch(VerificationSession asked, DocumentRef candidate, Original known, Similarity match) {
        originals.repeat(candidate, known);
        if (candidate.isLaterThan(asked.question().asker())) {
            return; // Any other match counts before it: the rest is worth comparing.
        }
        sifting.noteMatch(asked);
        if (!rules.retention().refresh()) {
            // Else each that is repeated must be noted, however many are more similar.
            asked.noteOriginal(match.value());
        }
    }

    /** Only a match is reported, so only of a match the rest is worth comparing. */
    private Similarity withWhole(Similarity match, Verify question, Evidence candidate) {
        return match.knowsWhole() ? match : match.withWhole(judge.whole(question.evidence(), candidate));
    }

    private Similarity similarity(VerificationSession asked, DocumentRef candidate, Evidence evidence, double needed) {
        verified++;
        sifting.keepOutline(asked, candidate, evidence);
        return judge.similarity(asked.question().evidence(), evidence, needed);
    }

    Sifting sifting() {
        return sifting;
    }

    /** How many questions of documents were dropped since the start, as too many waited. */
    long dropped() {
        return open.dropped() + early.dropped();
    }

    /** How many candidates were compared by their evidence since the start. */
    long verified() {
        return verified;
    }

    private static long compared(Verify question, Evidence candidate) {
        return ANSWER_BYTES + bytes(question, candidate);
    }

    /** What the second comparison of a match costs, where the first did not tell both similarities. */
    private static long again(Similarity first, Similarity match, Verify question, Evidence candidate) {
        return match.knowsWhole() && !first.knowsWhole() ? bytes(question, candidate) : 0;
    }

    private static long bytes(Verify question, Evidence candidate) {
        return (long) question.evidence().bytes().length + candidate.bytes().length;
    }

    private boolean mustWaitToCome(DocumentRef candidate, Verify question) {
        ArrivalOrder asker = new ArrivalOrder(question.askerArrivalMillis(), question.asker());
        return numbering
                .stillToCome(candidate)
                .filter(order -> order.isOlderThan(asker))
                .isPresent();
    }

    /**
     * Sends the answer about one candidate.
     *
     * @param originalId null where the candidate is no original, or no match
     * @param instead whom to ask in its place; null where nobody is known
     */
    private void answer(
            Verify question,
            DocumentRef candidate,
            Similarity similarity,
            @Nullable String originalId,
            @Nullable DocumentRef instead) {
        DocumentRef asker = question.asker();
        mail.toCoordinator(
                asker.coordinator(), new Verified(asker, question.epoch(), candidate, similarity, originalId, instead));
    }
}
