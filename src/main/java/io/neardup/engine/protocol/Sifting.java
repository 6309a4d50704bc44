package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Message.Dismissal;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Outline;
import io.neardup.engine.similarity.SimilarityJudge;
import io.neardup.engine.similarity.SketchTable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a coordinator tells which candidates of a question are worth verifying: by their sketches, and in a crowd by
 * their outlines, which prove what sketches only make likely.
 */
final class Sifting {
    private final CoordinatorRules rules;
    private final SimilarityJudge judge;
    private final Originals originals;
    private final ReleaseQueue<?> queue;
    private final KnownSketches sketches;
    private final Decisions decisions;
    private final CoordinatorMail mail;
    private final Outlines outlines = new Outlines();
    private final Tally sketchDifferences = new Tally();
    private long unlike;
    private long leftOut;

    Sifting(
            CoordinatorRules rules,
            SimilarityJudge judge,
            Originals originals,
            ReleaseQueue<?> queue,
            KnownSketches sketches,
            Decisions decisions,
            CoordinatorMail mail) {
        this.rules = rules;
        this.judge = judge;
        this.originals = originals;
        this.queue = queue;
        this.sketches = sketches;
        this.decisions = decisions;
        this.mail = mail;
    }

    /** Sifts candidates whose sketches are at hand, and drops of the others those that are duplicates by now. */
    void sift(VerificationSession asked, DocumentRefs candidates) {
        int[] differences = sketches.differences(candidates, asked.sketch());
        for (int i = 0; i < candidates.size(); i++) {
            if (differences[i] == SketchTable.UNKNOWN) {
                siftUnknown(asked, candidates.get(i));
            } else {
                sift(asked, candidates.packed(i), differences[i]);
            }
        }
    }

    private void siftUnknown(VerificationSession asked, DocumentRef candidate) {
        DocumentRef repeated = decisions.originalOf(candidate);
        if (repeated != null) {
            asked.dropDuplicate(candidate, repeated);
        } else {
            asked.addToSift(candidate);
        }
    }

    /**
     * Sifts the next whose sketch is not at hand, after it was looked for in the state.
     *
     * @return the bytes of evidence that were read
     */
    long siftNext(VerificationSession asked) {
        DocumentRef candidate = asked.nextToSift();
        long bytes = originals.loadSketch(candidate);
        int[] differences = sketches.differences(DocumentRefs.of(candidate), asked.sketch());
        sift(asked, candidate.packed(), differences[0]);
        return bytes;
    }

    private void sift(VerificationSession asked, long candidate, int differences) {
        if (differences != SketchTable.UNKNOWN && !asked.sketch().isNone()) {
            sketchDifferences.note(differences);
        }
        boolean isDropped =
                asked.sift(candidate, differences, rules.candidates().cut().differencesMax());
        unlike += isDropped ? 1 : 0;
    }

    /**
     * Ranks what is likely.
     *
     * @return the bytes of evidence that were read
     */
    long rank(VerificationSession asked) {
        Verify question = asked.question();
        if (!asked.isCrowded()) {
            asked.rank(null);
            return 0;
        }
        Optional<Outline> outline = judge.outlineOfFirst(question.evidence());
        if (mail.isOfThisCoordinator(question.asker())) {
            outline.ifPresent(own -> outlines.put(question.asker().packed(), own));
        }
        asked.rank(outline.orElse(null));
        return question.evidence().bytes().length;
    }

    /** The next candidate to verify, the likeliest first; null where none is left. */
    @Nullable
    DocumentRef next(VerificationSession asked) {
        while (asked.hasRanked()) {
            long candidate = asked.takeRanked();
            double needed = needed(asked, candidate);
            if (isBelow(needed, asked, candidate)) {
                boolean isForNow = needed > rules.threshold();
                unlike += isForNow ? 0 : 1;
                asked.ruleOut(candidate, isForNow);
            } else if (isPutOff(asked, candidate)) {
                asked.putOff(candidate);
            } else if (asked.verified() < rules.candidates().verifiedMax()) {
                asked.noteVerified();
                return DocumentRef.unpack(candidate);
            } else {
                asked.leaveOut(candidate);
            }
        }
        for (DocumentRef next = asked.takeUnranked(); next != null; next = asked.takeUnranked()) {
            if (!isPutOff(asked, next.packed())) {
                return next;
            }
            asked.putOff(next.packed());
        }
        return null;
    }

    /** Whether it would be waited for, and enough others are. */
    private boolean isPutOff(VerificationSession asked, long candidate) {
        if (asked.awaited() < rules.candidates().awaitedMax()) {
            return false;
        }
        PendingDocument pending = queue.pending(DocumentRef.unpack(candidate));
        return pending != null
                && !pending.isCertainDuplicate()
                && pending.order().isOlderThan(asked.order())
                && !pending.waiters().hasAskerOf(asked.question());
    }

    /** Where none is left to verify, the asker is told of those that were not. */
    void dismissRest(VerificationSession asked) {
        if (!asked.hasToVerify()) {
            asked.takeDismissal().ifPresent(this::dismiss);
        }
    }

    /** A candidate that was verified is a match, and does not yield. */
    void noteMatch(VerificationSession asked) {
        leftOut += asked.noteMatch(rules.candidates().matchesMax());
    }

    /**
     * How similar a candidate must be to matter: as the threshold says, or as the most similar original that is known
     * by now. A younger candidate that is pending must learn of the asker in any case.
     */
    double needed(VerificationSession asked, long candidate) {
        if (asked.best() <= rules.threshold()) {
            return rules.threshold();
        }
        PendingDocument pending = queue.pending(DocumentRef.unpack(candidate));
        return pending == null || pending.order().isOlderThan(asked.order()) ? asked.best() : rules.threshold();
    }

    private boolean isBelow(double similarity, VerificationSession asked, long candidate) {
        if (asked.differences() > rules.candidates().cut().differencesMax(similarity)) {
            return true;
        }
        Outline asker = asked.outline();
        Outline known = asker == null ? null : outlines.find(candidate);
        return asker != null && known != null && asker.isBelow(similarity, known);
    }

    private void dismiss(Dismissal dismissal) {
        leftOut += dismissal.leftOut().size();
        mail.toCoordinator(dismissal.asker().coordinator(), dismissal);
    }

    /** Keeps the outline of a candidate that is verified again, for the next who ask about it. */
    void keepOutline(VerificationSession asked, DocumentRef candidate, Evidence evidence) {
        if (asked.isCrowded() && outlines.isWanted(candidate.packed())) {
            judge.outline(evidence).ifPresent(outline -> outlines.put(candidate.packed(), outline));
        }
    }

    /** On how many values the sketches of each candidate and its asker differ, since the start. */
    Tally sketchDifferences() {
        return sketchDifferences;
    }

    /** How many candidates were dropped by their sketches or outlines since the start. */
    long unlike() {
        return unlike;
    }

    /** How many likely candidates were left out since the start, as others were likelier, or put off, as matches. */
    long leftOut() {
        return leftOut;
    }

    /** Heap that outlines take, in bytes. */
    long outlineBytes() {
        return outlines.bytes();
    }
}
