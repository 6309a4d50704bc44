package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Message.Answer;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.BitmapFilter;
import io.neardup.engine.similarity.Evidence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A Verify from its arrival until its answer is complete: until its candidates are compared, and it waits for the
 * decision on none of them.
 *
 * <p>Candidates are compared in the order of the differences between their sketches and the asker's, then of age. A
 * first round takes originals and pending documents that are older than the asker, a second one the younger pending
 * ones; each has a bound. In the first round originals that are ruled out as matches may be compared too, to find the
 * nearest original below the threshold: these do not count towards the bound.
 */
final class VerificationSession {
    /** From this many likely candidates on, bitmaps save more than they cost. */
    private static final int BITMAPS_MIN = 8;

    private static final Evidence NO_EVIDENCE = Evidence.of(new byte[0]);
    private static final long[] NO_CANDIDATES = {};

    final Key key;
    final ArrivalOrder order;
    // Of the asker, until all candidates are compared; the bitmap is null if none is used.
    BitSketch sketch;
    Evidence evidence;

    @Nullable
    BitmapFilter bitmap;

    /** Whether the last candidate is known to be no match: it is compared only to find the nearest below. */
    boolean isRuledOut;

    private final int coordinator;
    private final int verifiedMax;
    private final Consumer<VerificationSession> whenComplete;
    /**
     * At the front the likely ones: differences in the upper bits, a sequence number in the lower, so that sorting
     * ranks them. As these are compared, those that are deferred move to the front. At the end the sequence numbers of
     * those whose sketches are to be loaded from the state.
     */
    private long[] candidates;

    private int size;
    private int firstToLoad;
    private int next;
    /** 0 before they are ranked. */
    private int round;

    private int deferred;
    /** Candidates compared in this round, but for those that were ruled out. */
    private int comparedInRound;
    /** Candidates that have still to arrive again after a restart. */
    final List<DocumentRef> toArriveAgain = new ArrayList<>(0);
    /** The topic of one of these. */
    String awaitedTopic = "";

    private final Comparator<Neighbour> bestFirst;
    private final int nearestMax;
    private final List<Neighbour> nearest = new ArrayList<>(1);
    /** The most similar original below the threshold; null if there is none. */
    private @Nullable Neighbour nearestBelow;

    private final Set<DocumentRef> redirects = new LinkedHashSet<>();
    /** Candidates that this coordinator does not know, and never will again. */
    final List<DocumentRef> unknown = new ArrayList<>(0);

    private int compared;
    /** Likely candidates beyond the bound of a round. */
    int notCompared;
    /** What the answer still lacks: 1 until all candidates are compared, and 1 for each that it waits for. */
    private int parts = 1;

    /** Identifies a request: a repeated one has the same. */
    record Key(DocumentRef asker, int epoch, int request) {
        static Key of(Verify request) {
            return new Key(request.asker(), request.epoch(), request.request());
        }
    }

    /** @param verifiedMax how many are compared in each round */
    VerificationSession(Verify request, int verifiedMax, Consumer<VerificationSession> whenComplete) {
        this.key = Key.of(request);
        this.order = new ArrivalOrder(request.askerArrivalMillis(), request.asker());
        this.sketch = request.sketch();
        this.evidence = request.evidence();
        this.coordinator = request.coordinator();
        this.verifiedMax = verifiedMax;
        this.whenComplete = whenComplete;
        this.candidates = new long[request.candidates().size()];
        this.firstToLoad = candidates.length;
        this.bestFirst = Neighbour.bestFirst(key.asker);
        this.nearestMax = isCheck() ? Neighbour.CHECK_NEAREST_MAX : 1;
    }

    boolean isCheck() {
        return key.asker.isCheck();
    }

    /** Whether the asker is of the same coordinator as the candidates. */
    boolean isOwn() {
        return key.asker.coordinator() == coordinator;
    }

    /** Whether a pending candidate arrived after the asker. */
    boolean isYounger(PendingDocument candidate) {
        return order.isOlderThan(candidate.order);
    }

    /** Heap that it takes until all candidates are compared, as an estimate. */
    long bytes() {
        return evidence.bytes().length + (long) Long.BYTES * candidates.length;
    }

    // ---- likely candidates

    void addToLoad(DocumentRef candidate) {
        candidates[--firstToLoad] = candidate.sequence();
    }

    boolean hasToLoad() {
        return firstToLoad < candidates.length;
    }

    DocumentRef nextToLoad() {
        return new DocumentRef(coordinator, candidates[firstToLoad++]);
    }

    /** @param differences of its sketch; without sketches its rank among the candidates returned */
    void addLikely(DocumentRef candidate, int differences) {
        candidates[size++] = (long) differences << DocumentRef.SEQUENCE_BITS | candidate.sequence();
    }

    /** Ranks the likely ones, when all are known; false if that was done before. */
    boolean rank() {
        if (round > 0) {
            return false;
        }
        Arrays.sort(candidates, 0, size);
        round = 1;
        return true;
    }

    /** Whether there are enough likely candidates for bitmaps to be worth their cost. */
    boolean usesBitmaps() {
        return size >= BITMAPS_MIN && !isCheck();
    }

    // ---- the next to be compared

    boolean isDone() {
        return !hasToLoad() && !hasNext();
    }

    boolean hasNext() {
        return next < size || deferred > 0;
    }

    /** The next candidate; there must be one. */
    DocumentRef next() {
        if (next == size) {
            beginRound(2, deferred);
            deferred = 0;
        }
        return new DocumentRef(coordinator, candidates[next++] & DocumentRef.SEQUENCE_MAX);
    }

    private void beginRound(int number, int itsCandidates) {
        round = number;
        next = 0;
        size = itsCandidates;
        comparedInRound = 0;
    }

    /** Defers the last candidate to the second round; false if this is the second. */
    boolean defer() {
        if (round == 2) {
            return false;
        }
        candidates[deferred++] = candidates[next - 1];
        return true;
    }

    /**
     * Whether the last candidate may be compared: within the bound of its round; one that is ruled out, while fewer
     * than the bound were compared in all.
     */
    boolean mayCompare() {
        return (isRuledOut ? compared : comparedInRound) < verifiedMax;
    }

    void countComparison() {
        compared++;
        comparedInRound += isRuledOut ? 0 : 1;
    }

    /**
     * Goes on with the candidates that had still to arrive again, in new rounds with bounds of their own: they may be
     * likelier than all that were compared before.
     */
    void resume() {
        beginRound(0, 0);
        toArriveAgain.forEach(this::addToLoad);
        toArriveAgain.clear();
    }

    // ---- the answer

    /** Whether it would be the best so far. */
    boolean isBest(Neighbour neighbour) {
        return nearest.isEmpty() || bestFirst.compare(neighbour, nearest.get(0)) < 0;
    }

    void add(Neighbour neighbour) {
        nearest.add(neighbour);
        nearest.sort(bestFirst);
        if (nearest.size() > nearestMax) {
            nearest.remove(nearestMax);
        }
    }

    /** The best so far; null if there is none. */
    @Nullable
    Neighbour best() {
        return nearest.isEmpty() ? null : nearest.get(0);
    }

    /** Takes an original below the threshold. */
    void addBelow(Neighbour original) {
        if (nearestBelow == null || bestFirst.compare(original, nearestBelow) < 0) {
            nearestBelow = original;
        }
    }

    /** The similarity of the most similar original below the threshold; 0 if there is none. */
    double similarityBelow() {
        return nearestBelow == null ? 0 : nearestBelow.similarity().value();
    }

    /** @param original or an older pending document; null for none */
    void redirectTo(@Nullable DocumentRef original) {
        if (original != null) {
            redirects.add(original);
        }
    }

    /** The answer waits for the decision on one more candidate. */
    void addWait() {
        parts++;
    }

    /**
     * A candidate that the answer waited for is decided, or certain to be a duplicate.
     *
     * @param original the candidate, null if it is no original
     * @param repeated what it repeats, null if it is no duplicate
     */
    void closeWait(@Nullable Neighbour original, @Nullable DocumentRef repeated) {
        if (original != null) {
            add(original);
        }
        redirectTo(repeated);
        closePart();
    }

    /** All candidates are compared. As the answer may wait for long, only what it needs is kept. */
    void closeComparing() {
        sketch = BitSketch.NONE;
        evidence = NO_EVIDENCE;
        bitmap = null;
        candidates = NO_CANDIDATES;
        toArriveAgain.clear();
        closePart();
    }

    private void closePart() {
        parts--;
        if (parts == 0) {
            whenComplete.accept(this);
        }
    }

    Answer message() {
        return new Answer(
                key.asker,
                key.epoch,
                key.request,
                List.copyOf(nearest),
                nearest.isEmpty() ? nearestBelow : null,
                DocumentRefs.of(redirects),
                DocumentRefs.of(unknown),
                compared,
                notCompared);
    }
}
