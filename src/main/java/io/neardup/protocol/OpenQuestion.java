package io.neardup.protocol;

import io.neardup.protocol.Message.Dismissal;
import io.neardup.protocol.Message.Verify;
import io.neardup.sketch.BitSketch;
import io.neardup.sketch.SketchTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A question that is being answered. First its candidates are sifted by their sketches, one after the other: those that
 * are too unlike the asker are dropped, and of the others the likeliest are kept. Then these are verified.
 */
final class OpenQuestion {
    /** A candidate on the heap, about. */
    private static final long CANDIDATE_BYTES = 128;

    /** One in so many of those verified is taken in the order in which they were named. */
    private static final int NAMED_SHARE = 4;

    private final Verify question;
    private final Deque<Ref> toSift = new ArrayDeque<>();
    private final List<Likely> likely = new ArrayList<>();
    private final List<Ref> unlike = new ArrayList<>();
    private final Deque<Ref> toVerify = new ArrayDeque<>();
    /** All that are not answered. */
    private final Set<Ref> open = new HashSet<>();

    private long bytes;

    /** A candidate that may be a match by its sketch. */
    private record Likely(Ref candidate, int differences) {}

    /** Without candidates yet. */
    OpenQuestion(Verify question) {
        this.question = question;
    }

    /** Whether another question is that of the same document, and not of one that has its number now. */
    boolean isOf(Verify other) {
        return question.askerArrivalMillis() == other.askerArrivalMillis()
                && question.evidence().equals(other.evidence());
    }

    /** Takes more candidates; those that are open count once. */
    void add(Collection<Ref> candidates) {
        Deque<Ref> first = question.sketch().isNone() ? toVerify : toSift;
        candidates.stream().filter(open::add).forEach(first::add);
    }

    Verify question() {
        return question;
    }

    BitSketch sketch() {
        return question.sketch();
    }

    /** Notes what it takes of the heap by now, about; {@link #bytes} tells it later. */
    long note() {
        bytes = question.evidence().bytes().length + CANDIDATE_BYTES * open.size();
        return bytes;
    }

    long bytes() {
        return bytes;
    }

    boolean isSifted() {
        return toSift.isEmpty();
    }

    boolean isAnswered() {
        return open.isEmpty();
    }

    Ref nextToSift() {
        return toSift.remove();
    }

    /** It cannot be sifted without a read. */
    void putOff(Ref candidate) {
        toSift.add(candidate);
    }

    /** How many are to be sifted. */
    int toSift() {
        return toSift.size();
    }

    /** It needs no comparison. */
    void close(Ref candidate) {
        open.remove(candidate);
    }

    /**
     * Sifts a candidate.
     *
     * @param differences of its sketch; {@link SketchTable#UNKNOWN} where it has none: such a candidate passes
     */
    void sift(Ref candidate, int differences, int differencesMax) {
        if (differences == SketchTable.UNKNOWN) {
            toVerify.add(candidate);
        } else if (differences > differencesMax) {
            unlike.add(candidate);
        } else {
            likely.add(new Likely(candidate, differences));
        }
    }

    /**
     * Ends sifting.
     *
     * @param verifiedMax how many of those with a sketch are verified
     * @return what the asker is told of those that are not; empty if there are none
     */
    Optional<Dismissal> endSifting(int verifiedMax) {
        Set<Ref> kept = best(verifiedMax);
        List<Ref> leftOut = likely.stream()
                .map(Likely::candidate)
                .filter(candidate -> !kept.contains(candidate))
                .toList();
        toVerify.addAll(kept);
        leftOut.forEach(open::remove);
        unlike.forEach(open::remove);
        Dismissal dismissal = new Dismissal(question.asker(), unlike, leftOut);
        likely.clear();
        unlike.clear();
        return dismissal.unlike().isEmpty() && leftOut.isEmpty() ? Optional.empty() : Optional.of(dismissal);
    }

    /** A share as they were named, as copies with the same sketch would take all places; else the most alike. */
    private Set<Ref> best(int max) {
        Set<Ref> best = new LinkedHashSet<>();
        int named = likely.size() <= max ? max : max / NAMED_SHARE;
        likely.stream().limit(named).forEach(one -> best.add(one.candidate()));
        likely.stream()
                .sorted(Comparator.comparingInt(Likely::differences))
                .filter(one -> !best.contains(one.candidate()))
                .limit(Math.max(0, max - best.size()))
                .toList()
                .forEach(one -> best.add(one.candidate()));
        return best;
    }

    Ref nextToVerify() {
        Ref next = toVerify.remove();
        open.remove(next);
        return next;
    }
}
