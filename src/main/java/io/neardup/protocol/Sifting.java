package io.neardup.protocol;

import io.neardup.protocol.Message.Dismissal;
import io.neardup.protocol.Message.Verify;
import io.neardup.sketch.BitSketch;
import io.neardup.sketch.Evidence;
import io.neardup.sketch.Outline;
import io.neardup.sketch.SimilarityJudge;
import io.neardup.sketch.SketchTable;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * How a home tells which candidates of a question are worth verifying: by their sketches, and in a crowd by their
 * outlines, which prove what sketches only make likely.
 */
final class Sifting {
    private final HomeRules rules;
    private final SimilarityJudge judge;
    private final Originals originals;
    private final HomeQueue<?> queue;
    private final HomeMail mail;
    private final Outlines outlines = new Outlines();
    private final Tally sketchDifferences = new Tally();
    private long unlike;
    private long leftOut;

    Sifting(HomeRules rules, SimilarityJudge judge, Originals originals, HomeQueue<?> queue, HomeMail mail) {
        this.rules = rules;
        this.judge = judge;
        this.originals = originals;
        this.queue = queue;
        this.mail = mail;
    }

    /** Sifts a candidate if its sketch is at hand; false if not. */
    boolean siftKnown(OpenQuestion asked, long candidate) {
        int differences = differences(candidate, asked.sketch());
        if (differences == SketchTable.UNKNOWN) {
            return false;
        }
        sift(asked, candidate, differences);
        return true;
    }

    /**
     * Sifts the next that was put off, after its sketch was looked for in the state.
     *
     * @return the bytes of evidence that were read
     */
    long siftNext(OpenQuestion asked) {
        Ref candidate = asked.nextToSift();
        long bytes = originals.loadSketch(candidate);
        int differences = differences(candidate.packed(), asked.sketch());
        sift(asked, candidate.packed(), differences);
        return bytes;
    }

    private void sift(OpenQuestion asked, long candidate, int differences) {
        if (differences != SketchTable.UNKNOWN && !asked.sketch().isNone()) {
            sketchDifferences.note(differences);
        }
        asked.sift(candidate, differences, rules.candidates().differencesMax());
    }

    /** Where the asker has none, all are equally likely. */
    private int differences(long candidate, BitSketch sketch) {
        if (sketch.isNone()) {
            return 0;
        }
        int ofOriginal = originals.differences(candidate, sketch);
        if (ofOriginal != SketchTable.UNKNOWN) {
            return ofOriginal;
        }
        PendingDocument pending = queue.pending(Ref.unpack(candidate));
        return pending == null
                ? SketchTable.UNKNOWN
                : pending.document().sketch().differences(sketch);
    }

    /**
     * Ranks what is likely, and tells who asks of what is not verified.
     *
     * @return the bytes of evidence that were read
     */
    long rank(OpenQuestion asked) {
        Verify question = asked.question();
        boolean isCrowded = asked.isCrowded();
        Optional<Outline> outline = isCrowded ? judge.outlineOfFirst(question.evidence()) : Optional.empty();
        if (mail.isOfThisHome(question.asker())) {
            outline.ifPresent(own -> outlines.put(question.asker().packed(), own));
        }
        LongPredicate ruledOut = outline.<LongPredicate>map(own -> candidate -> isRuledOut(own, candidate))
                .orElse(candidate -> false);
        asked.rank(rules.candidates().verifiedMax(), ruledOut).ifPresent(this::dismiss);
        return isCrowded ? question.evidence().bytes().length : 0;
    }

    /** A candidate that was verified is a match, and does not yield. */
    void noteMatch(OpenQuestion asked) {
        asked.noteMatch(rules.candidates().matchesMax()).ifPresent(this::dismiss);
    }

    private boolean isRuledOut(Outline asker, long candidate) {
        Outline known = outlines.find(candidate);
        return known != null && asker.isBelow(rules.threshold(), known);
    }

    private void dismiss(Dismissal dismissal) {
        unlike += dismissal.unlike().size();
        leftOut += dismissal.leftOut().size() + dismissal.later().size();
        mail.toHome(dismissal.asker().home(), dismissal);
    }

    /** Keeps the outline of a candidate that is verified, for the next who ask about it. */
    void keepOutline(OpenQuestion asked, Ref candidate, Evidence evidence) {
        if (asked.isCrowded() && !outlines.has(candidate.packed())) {
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
