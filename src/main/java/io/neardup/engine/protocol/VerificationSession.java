package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.similarity.BitmapFilter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A Verify whose candidates are being compared: in the order of the differences of their sketches from the asker's,
 * then of their age. Originals and those that are older than the asker come first, and in a second round the undecided
 * younger ones; of each so many are compared. In the first, originals that are ruled out may be compared too, as the
 * nearest of those that are no match: as many again, so that they take no place of another.
 */
final class VerificationSession {
    /** From so many likely candidates on, bitmaps save more than they cost. */
    private static final int BITMAPS_MIN = 8;

    private static final int DIFFERENCES_MAX = Short.MAX_VALUE;
    private static final int SEQUENCE_BITS = Long.SIZE - Short.SIZE;

    final Verify request;
    final OpenAnswer answer;
    final ArrivalOrder order;
    /** The bitmap of who asks, null where none is used. */
    @Nullable
    BitmapFilter bitmap;

    /** Whether the last one is known to be no match: it is compared only as it may be the nearest of those. */
    boolean isRuledOut;

    private final int coordinator;
    private final int verifiedMax;
    /**
     * From the front on, the likely: differences above a sequence number, so that to sort these ranks them. At the end
     * the numbers of those whose sketches are to be looked for in the state.
     */
    private final long[] candidates;

    private int size;
    private int firstToLoad;
    private int next;
    /** 0 before they are ranked. */
    private int round;

    private int deferred;
    private int compared;
    /** How many were compared that are ruled out. */
    private int comparedRuledOut;

    /** @param verifiedMax how many are compared in each of the two rounds, and how many of those that are ruled out */
    VerificationSession(Verify request, OpenAnswer answer, int verifiedMax) {
        this.request = request;
        this.answer = answer;
        this.order = request.order();
        this.coordinator = request.candidates().get(0).coordinator();
        this.verifiedMax = verifiedMax;
        this.candidates = new long[request.candidates().size()];
        this.firstToLoad = candidates.length;
    }

    boolean isOutside() {
        return request.asker().isOutside();
    }

    /** Whether a pending candidate came behind who asks. */
    boolean isYounger(PendingDocument candidate) {
        return order.isOlderThan(candidate.order);
    }

    /** What it takes of the heap, about. */
    long bytes() {
        return request.evidence().bytes().length + candidateBytes();
    }

    /** The same without the evidence, which other parts of the answer share. */
    long candidateBytes() {
        return (long) Long.BYTES * candidates.length;
    }

    // ---- who is likely

    void addToLoad(DocumentRef candidate) {
        candidates[--firstToLoad] = candidate.sequence();
    }

    boolean hasToLoad() {
        return firstToLoad < candidates.length;
    }

    DocumentRef nextToLoad() {
        return new DocumentRef(coordinator, candidates[firstToLoad++]);
    }

    /** @param differences of its sketch; without sketches its place among those that were returned */
    void addLikely(DocumentRef candidate, int differences) {
        candidates[size++] = (long) Math.min(differences, DIFFERENCES_MAX) << SEQUENCE_BITS | candidate.sequence();
    }

    /** Ranks the likely when all are known; false where that was done. */
    boolean rank() {
        if (round > 0) {
            return false;
        }
        Arrays.sort(candidates, 0, size);
        round = 1;
        return true;
    }

    /** Whether so many are likely that bitmaps are worth their cost. */
    boolean usesBitmaps() {
        return size >= BITMAPS_MIN && !isOutside();
    }

    // ---- who is compared

    boolean isDone() {
        return !hasToLoad() && !hasNext();
    }

    boolean hasNext() {
        return next < size || deferred > 0;
    }

    /** The next candidate; there must be one. */
    DocumentRef next() {
        if (next == size) {
            beginSecondRound();
        }
        return new DocumentRef(coordinator, candidates[next++] & DocumentRef.SEQUENCE_MAX);
    }

    private void beginSecondRound() {
        round = 2;
        next = 0;
        size = deferred;
        deferred = 0;
        compared = 0;
    }

    /** Differences of the sketch of the last one. */
    int differences() {
        return (int) (candidates[next - 1] >>> SEQUENCE_BITS);
    }

    /** Defers the last one to the second round; false where this is that. */
    boolean defer() {
        if (round == 2) {
            return false;
        }
        candidates[deferred++] = candidates[next - 1];
        return true;
    }

    /** Whether the last one may be compared. */
    boolean hasPlace() {
        return (isRuledOut ? comparedRuledOut : compared) < verifiedMax;
    }

    void takePlace() {
        if (isRuledOut) {
            comparedRuledOut++;
        } else {
            compared++;
        }
    }
}
