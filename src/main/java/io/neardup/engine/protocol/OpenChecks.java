package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Message.CheckVerified;
import io.neardup.engine.protocol.Message.CheckVerify;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Similarity;
import io.neardup.engine.similarity.SimilarityJudge;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * How a coordinator answers checks: as it answers Verify ({@link VerificationHandler}), but nothing changes by it.
 * Nobody yields or waits, no original is noted as repeated, no sketch or outline is kept. Questions of documents go
 * first.
 */
final class OpenChecks {
    private static final int CHECKS_MAX = 256;
    private static final long BYTES_MAX = 16L << 20;
    private static final long ANSWER_BYTES = 1_000;

    private final CandidateRules rules;
    private final SimilarityJudge judge;
    private final Originals originals;
    private final ReleaseQueue<?> queue;
    private final KnownSketches sketches;
    private final CoordinatorMail mail;
    private final Deque<OpenCheck> open = new ArrayDeque<>();
    private long bytes;

    OpenChecks(
            CandidateRules rules,
            SimilarityJudge judge,
            Originals originals,
            ReleaseQueue<?> queue,
            KnownSketches sketches,
            CoordinatorMail mail) {
        this.rules = rules;
        this.judge = judge;
        this.originals = originals;
        this.queue = queue;
        this.sketches = sketches;
        this.mail = mail;
    }

    /** A question that is being answered. */
    private static final class OpenCheck {
        private final CheckVerify question;
        private DocumentRefs likely = DocumentRefs.NONE;
        private final List<Neighbour> nearest = new ArrayList<>();
        private int leftOut;
        private int next;
        private int compared;

        OpenCheck(CheckVerify question) {
            this.question = question;
        }

        long bytes() {
            return question.evidence().bytes().length;
        }

        CheckVerified answer(int coordinator) {
            nearest.sort(Neighbour.NEAREST_FIRST);
            List<Neighbour> best = nearest.subList(0, Math.min(CheckVerified.NEAREST_MAX, nearest.size()));
            return new CheckVerified(question.check(), coordinator, best, compared, leftOut);
        }
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    /**
     * Takes a question. Beyond {@value #CHECKS_MAX} questions or {@value #BYTES_MAX} bytes all of its candidates are
     * left out.
     */
    void add(CheckVerify question) {
        OpenCheck check = new OpenCheck(question);
        if (open.size() >= CHECKS_MAX || bytes >= BYTES_MAX) {
            check.leftOut = question.candidates().size();
        } else {
            sift(check);
        }
        if (check.likely.isEmpty()) {
            mail.toChecker(check.answer(mail.coordinator()));
        } else {
            open.add(check);
            bytes += check.bytes();
        }
    }

    /** A candidate whose sketch is not at hand passes. */
    private void sift(OpenCheck check) {
        DocumentRefs candidates = check.question.candidates();
        LikelyCandidates likely = new LikelyCandidates();
        int[] differences = sketches.differences(candidates, check.question.sketch());
        for (int i = 0; i < candidates.size(); i++) {
            if (differences[i] <= rules.cut().differencesMax()) {
                likely.add(candidates.packed(i), differences[i]);
            }
        }
        DocumentRefs ranked = likely.takeRanked().refs();
        check.likely = ranked.first(rules.verifiedMax());
        check.leftOut = ranked.size() - check.likely.size();
    }

    /**
     * Compares the next candidate; there must be one.
     *
     * @return its cost, in bytes of evidence compared
     */
    long answerNext() {
        OpenCheck first = open.getFirst();
        long cost = compare(first, first.likely.get(first.next++));
        if (first.next == first.likely.size()) {
            open.removeFirst();
            bytes -= first.bytes();
            mail.toChecker(first.answer(mail.coordinator()));
        }
        return cost;
    }

    private long compare(OpenCheck check, DocumentRef candidate) {
        PendingDocument pending = queue.pending(candidate);
        Optional<Original> original = pending == null ? originals.peek(candidate) : Optional.empty();
        if (pending != null) {
            SignedDocument document = pending.document();
            return compare(check, candidate, document.id(), document.evidence(), true);
        }
        return original.map(known -> compare(check, candidate, known.id(), known.evidence(), false))
                .orElse(ANSWER_BYTES);
    }

    private long compare(OpenCheck check, DocumentRef candidate, String id, Evidence evidence, boolean isPending) {
        Evidence asked = check.question.evidence();
        Similarity similarity = judge.similarity(asked, evidence);
        Similarity known = similarity.knowsWhole() ? similarity : similarity.withWhole(judge.whole(asked, evidence));
        check.compared++;
        check.nearest.add(new Neighbour(candidate, id, known, isPending));
        return ANSWER_BYTES + asked.bytes().length + evidence.bytes().length;
    }
}
