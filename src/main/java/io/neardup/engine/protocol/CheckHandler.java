package io.neardup.engine.protocol;

import io.neardup.engine.protocol.CoordinatorRules.CandidateRules;
import io.neardup.engine.protocol.DocumentCoordinator.LoopbackOutbox;
import io.neardup.engine.protocol.Message.CheckVerified;
import io.neardup.engine.protocol.Message.CheckVerify;
import io.neardup.engine.protocol.Message.Neighbour;
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
 * Nobody yields or waits, no original is noted as repeated, no sketch or outline is kept. Requests of documents go
 * first.
 */
final class CheckHandler {
    private static final int CHECKS_MAX = 256;
    private static final long BYTES_MAX = 16L << 20;

    private final CandidateRules rules;
    private final SimilarityJudge judge;
    private final Originals originals;
    private final ReleaseQueue<?> queue;
    private final Sifting sifting;
    private final LoopbackOutbox outbox;
    private final Deque<OpenCheck> open = new ArrayDeque<>();
    private long bytes;

    CheckHandler(
            CandidateRules rules,
            SimilarityJudge judge,
            Originals originals,
            ReleaseQueue<?> queue,
            Sifting sifting,
            LoopbackOutbox outbox) {
        this.rules = rules;
        this.judge = judge;
        this.originals = originals;
        this.queue = queue;
        this.sifting = sifting;
        this.outbox = outbox;
    }

    private static final class OpenCheck {
        private final CheckVerify request;
        private DocumentRefs likely = DocumentRefs.NONE;
        private final List<Neighbour> nearest = new ArrayList<>();
        private int truncated;
        private int next;
        private int compared;

        OpenCheck(CheckVerify request) {
            this.request = request;
        }

        long bytes() {
            return request.evidence().bytes().length;
        }

        CheckVerified answer(int coordinator) {
            nearest.sort(Neighbour.NEAREST_FIRST);
            List<Neighbour> best = nearest.subList(0, Math.min(CheckVerified.NEAREST_MAX, nearest.size()));
            return new CheckVerified(request.check(), coordinator, best, compared, truncated);
        }
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    /**
     * Takes a request. Beyond {@value #CHECKS_MAX} requests or {@value #BYTES_MAX} bytes all of its candidates are
     * truncated.
     */
    void add(CheckVerify request) {
        OpenCheck check = new OpenCheck(request);
        if (open.size() >= CHECKS_MAX || bytes >= BYTES_MAX) {
            check.truncated = request.candidates().size();
        } else {
            sift(check);
        }
        if (check.likely.isEmpty()) {
            outbox.toChecker(check.answer(outbox.coordinator()));
        } else {
            open.add(check);
            bytes += check.bytes();
        }
    }

    /** A candidate whose sketch is not at hand passes. */
    private void sift(OpenCheck check) {
        DocumentRefs candidates = check.request.candidates();
        LikelyCandidates likely = new LikelyCandidates();
        int[] differences = sifting.differences(candidates, check.request.sketch());
        for (int i = 0; i < candidates.size(); i++) {
            if (differences[i] <= rules.cut().differencesMax()) {
                likely.add(candidates.packed(i), differences[i]);
            }
        }
        DocumentRefs ranked = likely.takeRanked().refs();
        check.likely = ranked.first(rules.verifiedMax());
        check.truncated = ranked.size() - check.likely.size();
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
            outbox.toChecker(first.answer(outbox.coordinator()));
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
                .orElse(VerificationHandler.ANSWER_BYTES);
    }

    private long compare(OpenCheck check, DocumentRef candidate, String id, Evidence evidence, boolean isPending) {
        Evidence asked = check.request.evidence();
        Similarity similarity = judge.similarity(asked, evidence);
        Similarity known = similarity.knowsWhole() ? similarity : similarity.withWhole(judge.whole(asked, evidence));
        check.compared++;
        check.nearest.add(new Neighbour(candidate, id, known, isPending));
        return VerificationHandler.ANSWER_BYTES + asked.bytes().length + evidence.bytes().length;
    }
}
