package io.neardup.protocol;

import io.neardup.protocol.Message.Dismissal;
import io.neardup.protocol.Message.Verify;
import io.neardup.sketch.BitSketch;
import io.neardup.sketch.SketchTable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * A question that is being answered, in three steps. Its candidates are sifted by their sketches: those that are too
 * unlike the asker are dropped. The others are ranked: the likeliest are kept. These are verified, until there are
 * enough matches.
 */
final class OpenQuestion {
    /** From so many likely candidates on, outlines save more than they cost. */
    private static final int CROWD_MIN = 8;

    private static final long LIKELY_BYTES = 12;
    private static final long TO_VERIFY_BYTES = 40;

    private final Verify question;
    private final Deque<Ref> toSift = new ArrayDeque<>();
    private final LikelyCandidates likely = new LikelyCandidates();
    private final RefsBuilder unlike = new RefsBuilder();
    private final Deque<Ref> toVerify = new ArrayDeque<>();
    private boolean isCrowded;
    private int matches;
    private long bytes;

    /** Without candidates yet. */
    OpenQuestion(Verify question) {
        this.question = question;
    }

    /** Whether another question is that of the same document, and not of one that has its number now. */
    boolean isOf(Verify other) {
        return question.askerArrivalMillis() == other.askerArrivalMillis()
                && question.evidence().equals(other.evidence());
    }

    Verify question() {
        return question;
    }

    BitSketch sketch() {
        return question.sketch();
    }

    /** Of these candidates those that are not open here. */
    Refs without(Refs candidates) {
        RefsBuilder others = new RefsBuilder();
        for (int i = 0; i < candidates.size(); i++) {
            if (!isOpen(candidates.get(i))) {
                others.add(candidates.packed(i));
            }
        }
        return others.take();
    }

    private boolean isOpen(Ref candidate) {
        return likely.has(candidate.packed()) || toSift.contains(candidate) || toVerify.contains(candidate);
    }

    /** Notes what it takes of the heap by now, about; {@link #bytes} tells it later. */
    long note() {
        bytes = question.evidence().bytes().length
                + LIKELY_BYTES * likely.size()
                + TO_VERIFY_BYTES * (toSift.size() + toVerify.size());
        return bytes;
    }

    long bytes() {
        return bytes;
    }

    /** Whether the sketch of each candidate was looked at. */
    boolean isSifted() {
        return toSift.isEmpty();
    }

    /** Whether nothing but verifying is to be done. */
    boolean isRanked() {
        return isSifted() && likely.size() == 0 && unlike.isEmpty();
    }

    boolean isAnswered() {
        return isRanked() && toVerify.isEmpty();
    }

    /** Whether so many are likely that outlines are worth their cost. */
    boolean isCrowded() {
        return isCrowded || likely.size() >= CROWD_MIN;
    }

    /** It cannot be sifted without a read. */
    void putOff(Ref candidate) {
        toSift.add(candidate);
    }

    /** One that was put off, taken. */
    Ref nextToSift() {
        return toSift.remove();
    }

    /**
     * Sifts a candidate.
     *
     * @param differences of its sketch; {@link SketchTable#UNKNOWN} where it has none: such a candidate passes
     */
    void sift(long candidate, int differences, int differencesMax) {
        if (differences == SketchTable.UNKNOWN) {
            toVerify.add(Ref.unpack(candidate));
        } else if (differences > differencesMax) {
            unlike.add(candidate);
        } else {
            likely.add(candidate, differences);
        }
    }

    /**
     * Ranks those that are likely.
     *
     * @param verifiedMax how many of them are verified
     * @param ruledOut whether one is no match by its outline
     * @return what the asker is told of those that are not verified; empty if there are none
     */
    Optional<Dismissal> rank(int verifiedMax, LongPredicate ruledOut) {
        isCrowded = isCrowded();
        if (isCrowded) {
            likely.move(ruledOut, unlike);
        }
        RefsBuilder leftOut = new RefsBuilder();
        Refs best = likely.take(verifiedMax, leftOut);
        // Who is asked about later was told of by others: before those that are no more than likely.
        for (int i = best.size() - 1; i >= 0; i--) {
            toVerify.addFirst(best.get(i));
        }
        matches = 0;
        Dismissal dismissal = new Dismissal(question.asker(), unlike.take(), leftOut.take(), Refs.NONE);
        return dismissal.unlike().isEmpty() && dismissal.leftOut().isEmpty()
                ? Optional.empty()
                : Optional.of(dismissal);
    }

    /**
     * Notes that one that was verified is a match, and does not yield.
     *
     * @param matchesMax with so many the rest is put off: they are copies, any of which leads to their original
     * @return what the asker is told of the rest; empty if there is none
     */
    Optional<Dismissal> noteMatch(int matchesMax) {
        matches++;
        if (matches < matchesMax || toVerify.isEmpty()) {
            return Optional.empty();
        }
        Refs later = Refs.of(toVerify);
        toVerify.clear();
        return Optional.of(new Dismissal(question.asker(), Refs.NONE, Refs.NONE, later));
    }

    Ref nextToVerify() {
        return toVerify.remove();
    }
}
