package io.neardup.protocol;

import io.neardup.protocol.Message.Dismissal;
import io.neardup.protocol.Message.Verify;
import io.neardup.sketch.Evidence;
import io.neardup.sketch.Outline;
import io.neardup.sketch.SimilarityJudge;
import io.neardup.sketch.SketchTable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a home tells which candidates of a question are worth verifying: by their sketches, and in a crowd by their
 * outlines, which prove what sketches only make likely.
 */
final class Sifting {
    private final HomeRules rules;
    private final SimilarityJudge judge;
    private final Originals originals;
    private final HomeQueue<?> queue;
    private final KnownSketches sketches;
    private final Decisions decisions;
    private final HomeMail mail;
    private final Outlines outlines = new Outlines();
    private final Tally sketchDifferences = new Tally();
    private long unlike;
    private long leftOut;

    Sifting(
            HomeRules rules,
            SimilarityJudge judge,
            Originals originals,
            HomeQueue<?> queue,
            KnownSketches sketches,
            Decisions decisions,
            HomeMail mail) {
        this.rules = rules;
        this.judge = judge;
        this.originals = originals;
        this.queue = queue;
        this.sketches = sketches;
        this.decisions = decisions;
        this.mail = mail;
    }

    /** Sifts candidates whose sketches are at hand, and drops of the others those that are duplicates by now. */
    void sift(OpenQuestion asked, Refs candidates) {
        int[] differences = sketches.differences(candidates, asked.sketch());
        for (int i = 0; i < candidates.size(); i++) {
            if (differences[i] == SketchTable.UNKNOWN) {
                siftUnknown(asked, candidates.get(i));
            } else {
                sift(asked, candidates.packed(i), differences[i]);
            }
        }
    }

    private void siftUnknown(OpenQuestion asked, Ref candidate) {
        Ref repeated = decisions.originalOf(candidate);
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
    long siftNext(OpenQuestion asked) {
        Ref candidate = asked.nextToSift();
        long bytes = originals.loadSketch(candidate);
        int[] differences = sketches.differences(Refs.of(candidate), asked.sketch());
        sift(asked, candidate.packed(), differences[0]);
        return bytes;
    }

    private void sift(OpenQuestion asked, long candidate, int differences) {
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
    long rank(OpenQuestion asked) {
        Verify question = asked.question();
        if (!asked.isCrowded()) {
            asked.rank(null);
            return 0;
        }
        Optional<Outline> outline = judge.outlineOfFirst(question.evidence());
        if (mail.isOfThisHome(question.asker())) {
            outline.ifPresent(own -> outlines.put(question.asker().packed(), own));
        }
        asked.rank(outline.orElse(null));
        return question.evidence().bytes().length;
    }

    /** The next candidate to verify, the likeliest first; null where none is left. */
    @Nullable
    Ref next(OpenQuestion asked) {
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
                return Ref.unpack(candidate);
            } else {
                asked.leaveOut(candidate);
            }
        }
        for (Ref next = asked.takeUnranked(); next != null; next = asked.takeUnranked()) {
            if (!isPutOff(asked, next.packed())) {
                return next;
            }
            asked.putOff(next.packed());
        }
        return null;
    }

    /** Whether it would be waited for, and enough others are. */
    private boolean isPutOff(OpenQuestion asked, long candidate) {
        if (asked.awaited() < rules.candidates().awaitedMax()) {
            return false;
        }
        PendingDocument pending = queue.pending(Ref.unpack(candidate));
        return pending != null
                && !pending.isCertainDuplicate()
                && pending.stamp().isOlderThan(asked.stamp())
                && !pending.waiters().hasAskerOf(asked.question());
    }

    /** Where none is left to verify, the asker is told of those that were not. */
    void dismissRest(OpenQuestion asked) {
        if (!asked.hasToVerify()) {
            asked.takeDismissal().ifPresent(this::dismiss);
        }
    }

    /** A candidate that was verified is a match, and does not yield. */
    void noteMatch(OpenQuestion asked) {
        leftOut += asked.noteMatch(rules.candidates().matchesMax());
    }

    /**
     * How similar a candidate must be to matter: as the threshold says, or as the most similar original that is known
     * by now. A younger candidate that is pending must learn of the asker in any case.
     */
    double needed(OpenQuestion asked, long candidate) {
        if (asked.best() <= rules.threshold()) {
            return rules.threshold();
        }
        PendingDocument pending = queue.pending(Ref.unpack(candidate));
        return pending == null || pending.stamp().isOlderThan(asked.stamp()) ? asked.best() : rules.threshold();
    }

    private boolean isBelow(double similarity, OpenQuestion asked, long candidate) {
        if (asked.differences() > rules.candidates().cut().differencesMax(similarity)) {
            return true;
        }
        Outline asker = asked.outline();
        Outline known = asker == null ? null : outlines.find(candidate);
        return asker != null && known != null && asker.isBelow(similarity, known);
    }

    private void dismiss(Dismissal dismissal) {
        leftOut += dismissal.leftOut().size();
        mail.toHome(dismissal.asker().home(), dismissal);
    }

    /** Keeps the outline of a candidate that is verified again, for the next who ask about it. */
    void keepOutline(OpenQuestion asked, Ref candidate, Evidence evidence) {
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
