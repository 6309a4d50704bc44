package io.neardup.protocol;

import io.neardup.protocol.Message.Dismissal;
import io.neardup.protocol.Message.Verdict;
import io.neardup.protocol.Message.Verify;
import io.neardup.sketch.BitSketch;
import io.neardup.sketch.Evidence;
import io.neardup.sketch.Similarity;
import io.neardup.sketch.SimilarityJudge;
import io.neardup.sketch.SketchTable;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a home answers Verify: which candidates are likely matches by their sketches ({@link OpenQuestion}), how similar
 * the asker is to each of these, and whether it is an original. A
 * question about a pending candidate waits for its decision where that is the older of the two; one about a document
 * that has still to be read again after a restart waits for that.
 */
final class Answers {
    /** Reading the state and sending the answer take as long as comparing so many bytes of evidence. */
    private static final long ANSWER_BYTES = 1_000;

    /**
     * What has not arrived again so long after the first {@link #answerForGone} is gone from the input: nobody waits
     * for it any more.
     */
    private static final long COME_AGAIN_MILLIS_MAX = 600_000;

    private final HomeRules rules;
    private final SimilarityJudge judge;
    private final Numbering numbering;
    private final Originals originals;
    private final HomeQueue<?> queue;
    private final Decisions decisions;
    private final HomeMail mail;
    private final OpenQuestions open = new OpenQuestions();
    private final EarlyQuestions early = new EarlyQuestions();
    private long firstAskMillis = -1;
    private long unlike;
    private long leftOut;
    private long verified;

    Answers(
            HomeRules rules,
            SimilarityJudge judge,
            Numbering numbering,
            Originals originals,
            HomeQueue<?> queue,
            Decisions decisions,
            HomeMail mail) {
        this.rules = rules;
        this.judge = judge;
        this.numbering = numbering;
        this.originals = originals;
        this.queue = queue;
        this.decisions = decisions;
        this.mail = mail;
    }

    /** A question came: it is sifted at once as far as sketches are at hand, and answered in its turn. */
    void add(Verify question) {
        open.add(question, this::siftAtOnce);
    }

    /** Whether questions wait for their turn. */
    boolean hasOpen() {
        return !open.isEmpty();
    }

    /** The topics of documents that questions wait for, as they have not arrived again since the start. */
    Set<String> awaitedTopics() {
        return early.topics();
    }

    /** A record has arrived: who asked for it too early is answered now. */
    void arrived(Ref document) {
        if (!early.isEmpty()) {
            openEarly(document);
        }
    }

    /** Questions about a document wait no longer for it, only for their turn. */
    private void openEarly(Ref document) {
        early.take(document).forEach(question -> add(only(document, question)));
    }

    /** Answers for what will not arrive any more. */
    void answerForGone(long nowMillis) {
        firstAskMillis = firstAskMillis < 0 ? nowMillis : firstAskMillis;
        if (nowMillis - firstAskMillis > COME_AGAIN_MILLIS_MAX) {
            numbering.stopWaiting();
        }
        for (Ref document : early.documents()) {
            if (numbering.stillToCome(document).isEmpty()) {
                openEarly(document);
            }
        }
    }

    /**
     * Sifts or verifies the next candidate of the first open question; there must be one.
     *
     * @return its cost, in bytes of evidence compared
     */
    long answerNext() {
        OpenQuestion next = open.first();
        long cost = next.isSifted() ? verifyNext(next) : siftNext(next);
        if (next.isAnswered()) {
            open.remove(next);
        }
        return cost;
    }

    private static Verify only(Ref candidate, Verify question) {
        return new Verify(
                question.asker(),
                question.askerArrivalMillis(),
                question.evidence(),
                question.sketch(),
                List.of(candidate));
    }

    private void siftAtOnce(OpenQuestion asked) {
        for (int left = asked.toSift(); left > 0; left--) {
            Ref candidate = asked.nextToSift();
            int differences = differences(candidate, asked.sketch());
            Ref repeated = decisions.originalOf(candidate);
            if (differences != SketchTable.UNKNOWN) {
                asked.sift(candidate, differences, rules.candidates().differencesMax());
            } else if (repeated != null) {
                asked.close(candidate);
                answer(asked.question(), candidate, Similarity.NONE, null, repeated);
            } else {
                asked.putOff(candidate);
            }
        }
        endSifting(asked);
    }

    private void endSifting(OpenQuestion asked) {
        if (asked.isSifted()) {
            asked.endSifting(rules.candidates().verifiedMax()).ifPresent(this::dismiss);
        }
    }

    /** Of one whose sketch was not at hand. */
    private long siftNext(OpenQuestion next) {
        Ref candidate = next.nextToSift();
        long bytes = originals.loadSketch(candidate);
        next.sift(
                candidate,
                differences(candidate, next.sketch()),
                rules.candidates().differencesMax());
        endSifting(next);
        return ANSWER_BYTES + bytes;
    }

    private int differences(Ref candidate, BitSketch sketch) {
        PendingDocument pending = queue.pending(candidate);
        return pending == null
                ? originals.differences(candidate, sketch)
                : pending.document().sketch().differences(sketch);
    }

    private void dismiss(Dismissal dismissal) {
        unlike += dismissal.unlike().size();
        leftOut += dismissal.leftOut().size();
        mail.toHome(dismissal.asker().home(), dismissal);
    }

    private long verifyNext(OpenQuestion next) {
        Ref candidate = next.nextToVerify();
        PendingDocument document = queue.pending(candidate);
        return document == null
                ? answerAsNotPending(candidate, next.question())
                : answerAsPending(document, next.question());
    }

    private long answerAsPending(PendingDocument document, Verify question) {
        Evidence evidence = document.document().evidence();
        Similarity similarity = similarity(question, evidence);
        long cost = compared(question, evidence);
        Ref candidate = document.ref();
        Stamp askerStamp = new Stamp(question.askerArrivalMillis(), question.asker());
        if (similarity.value() < rules.threshold()) {
            answer(question, candidate, similarity, null, null);
        } else if (document.stamp().isOlderThan(askerStamp)) {
            Similarity match = withWhole(similarity, question, evidence);
            document.addWaiter(question.asker(), match);
            cost += again(similarity, match, question, evidence);
        } else {
            answer(question, candidate, similarity, null, document.yieldedTo());
            document.yieldTo(askerStamp);
            decisions.advance(document);
        }
        return cost;
    }

    private long answerAsNotPending(Ref candidate, Verify question) {
        Optional<Original> original = originals.find(candidate);
        if (original.isEmpty()) {
            if (mustWaitToCome(candidate, question)) {
                early.add(candidate, numbering.topicOf(candidate), question);
            } else {
                answer(question, candidate, Similarity.NONE, null, decisions.originalOf(candidate));
            }
            return ANSWER_BYTES;
        }
        Original known = original.get();
        Similarity similarity = similarity(question, known.evidence());
        long cost = compared(question, known.evidence());
        if (similarity.value() >= rules.threshold()) {
            originals.repeat(candidate, known);
            Similarity match = withWhole(similarity, question, known.evidence());
            cost += again(similarity, match, question, known.evidence());
            similarity = match;
        }
        answer(question, candidate, similarity, known.id(), null);
        return cost;
    }

    /** Only a match is reported, so only of a match the rest is worth comparing. */
    private Similarity withWhole(Similarity match, Verify question, Evidence candidate) {
        return match.knowsWhole() ? match : match.withWhole(judge.whole(question.evidence(), candidate));
    }

    private Similarity similarity(Verify question, Evidence candidate) {
        verified++;
        return judge.similarity(question.evidence(), candidate);
    }

    /** How many candidates were dropped by their sketches since the start. */
    long unlike() {
        return unlike;
    }

    /** How many likely candidates were left out since the start, as others were likelier. */
    long leftOut() {
        return leftOut;
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

    private boolean mustWaitToCome(Ref candidate, Verify question) {
        Stamp asker = new Stamp(question.askerArrivalMillis(), question.asker());
        return numbering
                .stillToCome(candidate)
                .filter(stamp -> stamp.isOlderThan(asker))
                .isPresent();
    }

    /**
     * Sends a verdict.
     *
     * @param originalId null where the candidate is no original, or no match
     * @param instead whom to ask in its place; null where nobody is known
     */
    private void answer(
            Verify question, Ref candidate, Similarity similarity, @Nullable String originalId, @Nullable Ref instead) {
        Ref asker = question.asker();
        mail.toHome(asker.home(), new Verdict(asker, candidate, similarity, originalId, instead));
    }
}
