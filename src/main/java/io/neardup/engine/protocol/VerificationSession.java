package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Message.Dismissal;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Outline;
import io.neardup.engine.similarity.SketchTable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A question that is being answered. Candidates that are duplicates by now are dropped. The others are sifted by their
 * sketches: those that are too unlike the asker are dropped, too. The rest are ranked, the likeliest first. They are
 * verified in this order, until there are enough. In the end the asker is told of all that were not.
 */
final class VerificationSession {
    /** From so many likely candidates on, outlines save more than they cost. */
    private static final int CROWD_MIN = 8;

    private static final long LIKELY_BYTES = 12;
    private static final long NO_MATCH_BYTES = 8;
    private static final long UNRANKED_BYTES = 40;

    private final Verify question;
    private final Deque<DocumentRef> toSift = new ArrayDeque<>();
    private final LikelyCandidates likely = new LikelyCandidates();
    /** The likely ones, ranked. */
    private RankedCandidates ranked = RankedCandidates.NONE;

    /** Their sketches are not known: they come after the likely ones. */
    private final Deque<DocumentRef> unranked = new ArrayDeque<>();

    private final DocumentRefsBuilder noMatch = new DocumentRefsBuilder();
    private final DocumentRefsBuilder duplicates = new DocumentRefsBuilder();
    private final DocumentRefsBuilder instead = new DocumentRefsBuilder();
    private final DocumentRefsBuilder leftOut = new DocumentRefsBuilder();
    private final DocumentRefsBuilder later = new DocumentRefsBuilder();
    private @Nullable Outline outline;
    private boolean isCrowded;
    private int verified;
    private int matches;
    private int awaited;
    private double best;
    private long bytes;

    /** Without candidates yet. */
    VerificationSession(Verify question) {
        this.question = question;
    }

    /** Whether another question is of the same document in the same life, and not of one that has its number now. */
    boolean isOf(Verify other) {
        return question.epoch() == other.epoch()
                && question.askerArrivalMillis() == other.askerArrivalMillis()
                && question.evidence().equals(other.evidence());
    }

    Verify question() {
        return question;
    }

    ArrivalOrder order() {
        return new ArrivalOrder(question.askerArrivalMillis(), question.asker());
    }

    BitSketch sketch() {
        return question.sketch();
    }

    /** Of these candidates those that are not open here. */
    DocumentRefs without(DocumentRefs candidates) {
        DocumentRefsBuilder others = new DocumentRefsBuilder();
        for (int i = 0; i < candidates.size(); i++) {
            if (!isOpen(candidates.get(i))) {
                others.add(candidates.packed(i));
            }
        }
        return others.take();
    }

    private boolean isOpen(DocumentRef candidate) {
        long packed = candidate.packed();
        return likely.has(packed)
                || toSift.contains(candidate)
                || unranked.contains(candidate)
                || ranked.has(packed)
                || noMatch.has(packed)
                || duplicates.has(packed)
                || leftOut.has(packed)
                || later.has(packed);
    }

    /** Notes what it takes of the heap by now, about; {@link #bytes} tells it later. */
    long note() {
        bytes = question.evidence().bytes().length
                + LIKELY_BYTES * (likely.size() + ranked.left())
                + NO_MATCH_BYTES * (noMatch.size() + duplicates.size())
                + UNRANKED_BYTES * (toSift.size() + unranked.size());
        return bytes;
    }

    long bytes() {
        return bytes;
    }

    /** Whether the sketch of each candidate was looked at. */
    boolean isSifted() {
        return toSift.isEmpty();
    }

    /** Whether all that are likely are ranked. */
    boolean isRanked() {
        return isSifted() && likely.size() == 0;
    }

    /** Whether there are more to verify, or may be. */
    boolean hasToVerify() {
        return !isRanked() || hasRanked() || !unranked.isEmpty();
    }

    /** Whether nothing is to be done or told any more. */
    boolean isAnswered() {
        return !hasToVerify() && hasNoneToDismiss();
    }

    private boolean hasNoneToDismiss() {
        return noMatch.isEmpty() && duplicates.isEmpty() && leftOut.isEmpty() && later.isEmpty();
    }

    /** One is a duplicate by now: it is no match, and its original may be asked in its place. */
    void dropDuplicate(DocumentRef candidate, DocumentRef original) {
        duplicates.add(candidate.packed());
        if (!instead.has(original.packed())) {
            instead.add(original.packed());
        }
    }

    /** It is sifted once its sketch was looked for in the state. */
    void addToSift(DocumentRef candidate) {
        toSift.add(candidate);
    }

    /** The next to be sifted, taken. */
    DocumentRef nextToSift() {
        return toSift.remove();
    }

    /**
     * Sifts a candidate.
     *
     * @param differences of its sketch; {@link SketchTable#UNKNOWN} where it has none: such a candidate passes
     * @return whether it is dropped
     */
    boolean sift(long candidate, int differences, int differencesMax) {
        boolean isDropped = differences > differencesMax;
        if (differences == SketchTable.UNKNOWN) {
            unranked.add(DocumentRef.unpack(candidate));
        } else if (isDropped) {
            noMatch.add(candidate);
        } else {
            likely.add(candidate, differences);
        }
        return isDropped;
    }

    /** Whether so many are likely, or were, that outlines are worth their cost. */
    boolean isCrowded() {
        return isCrowded || likely.size() >= CROWD_MIN;
    }

    /**
     * Ranks those that are likely.
     *
     * @param ofAsker its outline in a crowd, null where there is none
     */
    void rank(@Nullable Outline ofAsker) {
        isCrowded = isCrowded();
        outline = ofAsker;
        ranked = likely.takeRanked().followedBy(ranked);
        verified = 0;
        matches = 0;
        awaited = 0;
    }

    /** The outline of who asks, null where none is needed. */
    @Nullable
    Outline outline() {
        return outline;
    }

    /** Whether there are more that are ranked. */
    boolean hasRanked() {
        return ranked.left() > 0;
    }

    /** The next that is ranked, which is then done with. */
    long takeRanked() {
        return ranked.take();
    }

    /** Differences of the sketch of the one taken last. */
    int differences() {
        return ranked.differences();
    }

    /** The next after those that are ranked; null if there is none. */
    @Nullable
    DocumentRef takeUnranked() {
        return unranked.poll();
    }

    /**
     * One is not similar enough by its sketch or outline.
     *
     * @param isForNow as there is a more similar original: if that is none in the end, the asker asks again
     */
    void ruleOut(long candidate, boolean isForNow) {
        (isForNow ? later : noMatch).add(candidate);
    }

    /** One is less similar than an original, or the asker waits for enough others. */
    void putOff(long candidate) {
        later.add(candidate);
    }

    /** Notes how similar an original is. */
    void noteOriginal(double similarity) {
        best = Math.max(best, similarity);
    }

    /** How similar the most similar original is that is known by now, 0 if none is. */
    double best() {
        return best;
    }

    /** One is not verified, as others are likelier. */
    void leaveOut(long candidate) {
        leftOut.add(candidate);
    }

    /** One is verified now; counts those that were ranked. */
    void noteVerified() {
        verified++;
    }

    int verified() {
        return verified;
    }

    /** The asker waits for one. */
    void noteAwaited() {
        awaited++;
    }

    /** For how many of these the asker waits. */
    int awaited() {
        return awaited;
    }

    /**
     * Notes that one that was verified is a match, and does not yield.
     *
     * @param matchesMax with so many the rest is put off: they are copies, any of which leads to their original
     * @return how many are put off by that
     */
    int noteMatch(int matchesMax) {
        matches++;
        if (matches < matchesMax) {
            return 0;
        }
        int before = later.size();
        while (hasRanked()) {
            later.add(takeRanked());
        }
        unranked.forEach(candidate -> later.add(candidate.packed()));
        unranked.clear();
        return later.size() - before;
    }

    /** What the asker is told of those that were not verified; empty if there are none. */
    Optional<Dismissal> takeDismissal() {
        if (hasNoneToDismiss()) {
            return Optional.empty();
        }
        return Optional.of(new Dismissal(
                question.asker(),
                question.epoch(),
                noMatch.take(),
                duplicates.take(),
                instead.take(),
                leftOut.take(),
                later.take()));
    }
}
