package io.neardup.engine.protocol;

import io.neardup.engine.protocol.LikelyCandidates.Ranked;
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
 * A Verify that is being answered. Candidates that are duplicates by now are dropped. The others are sifted by their
 * sketches: those that are too unlike the asker are dropped, too. The rest are ranked, the likeliest first. They are
 * verified in this order, until there are enough. In the end the asker gets a {@link Dismissal} of all that were not.
 */
final class VerificationSession {
    /** From so many likely candidates on, outlines save more than they cost. */
    private static final int OUTLINES_MIN = 8;

    private static final long LIKELY_BYTES = 12;
    private static final long NO_MATCH_BYTES = 8;
    private static final long UNRANKED_BYTES = 40;

    private final Verify request;
    private final Deque<DocumentRef> toSift = new ArrayDeque<>();
    private final LikelyCandidates likely = new LikelyCandidates();
    /** The likely ones, ranked. */
    private Ranked ranked = Ranked.NONE;

    /** Their sketches are not known: they come after the likely ones. */
    private final Deque<DocumentRef> unranked = new ArrayDeque<>();

    private final DocumentRefs.Builder noMatch = new DocumentRefs.Builder();
    private final DocumentRefs.Builder duplicates = new DocumentRefs.Builder();
    private final DocumentRefs.Builder redirects = new DocumentRefs.Builder();
    private final DocumentRefs.Builder truncated = new DocumentRefs.Builder();
    private final DocumentRefs.Builder deferred = new DocumentRefs.Builder();
    private @Nullable Outline outline;
    private boolean usesOutlines;
    private int verified;
    private int matches;
    private int awaited;
    private double best;
    private long bytes;

    /** Without candidates yet. */
    VerificationSession(Verify request) {
        this.request = request;
    }

    Verify request() {
        return request;
    }

    ArrivalOrder order() {
        return new ArrivalOrder(request.askerArrivalMillis(), request.asker());
    }

    BitSketch sketch() {
        return request.sketch();
    }

    /** Of these candidates those that are not open here. */
    DocumentRefs without(DocumentRefs candidates) {
        DocumentRefs.Builder others = new DocumentRefs.Builder();
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
                || truncated.has(packed)
                || deferred.has(packed);
    }

    /** Notes what it takes of the heap by now, about; {@link #bytes} returns it later. */
    long note() {
        bytes = request.evidence().bytes().length
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

    /** Whether nothing is to be done or answered any more. */
    boolean isAnswered() {
        return !hasToVerify() && hasNoneToDismiss();
    }

    private boolean hasNoneToDismiss() {
        return noMatch.isEmpty() && duplicates.isEmpty() && truncated.isEmpty() && deferred.isEmpty();
    }

    /** One is a duplicate by now: it is no match, and the asker is redirected to its original. */
    void dropDuplicate(DocumentRef candidate, DocumentRef original) {
        duplicates.add(candidate.packed());
        if (!redirects.has(original.packed())) {
            redirects.add(original.packed());
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
    boolean usesOutlines() {
        return usesOutlines || likely.size() >= OUTLINES_MIN;
    }

    /**
     * Ranks those that are likely.
     *
     * @param ofAsker its outline where so many are likely, null where there is none
     */
    void rank(@Nullable Outline ofAsker) {
        usesOutlines = usesOutlines();
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
        (isForNow ? deferred : noMatch).add(candidate);
    }

    /** One is less similar than an original, or the asker waits for enough others. */
    void defer(long candidate) {
        deferred.add(candidate);
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
    void truncate(long candidate) {
        truncated.add(candidate);
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
     * @param matchesMax with so many the rest is deferred: they are copies, any of which leads to their original
     * @return how many are deferred by that
     */
    int noteMatch(int matchesMax) {
        matches++;
        if (matches < matchesMax) {
            return 0;
        }
        int before = deferred.size();
        while (hasRanked()) {
            deferred.add(takeRanked());
        }
        unranked.forEach(candidate -> deferred.add(candidate.packed()));
        unranked.clear();
        return deferred.size() - before;
    }

    /** The answer about those that were not verified; empty if there are none. */
    Optional<Dismissal> takeDismissal() {
        if (hasNoneToDismiss()) {
            return Optional.empty();
        }
        return Optional.of(new Dismissal(
                request.asker(),
                request.epoch(),
                noMatch.take(),
                duplicates.take(),
                redirects.take(),
                truncated.take(),
                deferred.take()));
    }
}
