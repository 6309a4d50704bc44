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
 * A Verify from when it comes until its answer is complete: until its candidates are compared, and who asks waits for
 * none of them any more.
 *
 * <p>They are compared in the order of the differences of their sketches from the asker's, then of their age. Originals
 * and those that are older than the asker come first, and in a second round the undecided younger ones; of each so many
 * are compared. In the first, originals that are ruled out as matches may be compared too, as the nearest of those
 * below: they take no place of others.
 */
final class VerificationSession {
    /** From so many likely candidates on, bitmaps save more than they cost. */
    private static final int BITMAPS_MIN = 8;

    private static final Evidence NO_EVIDENCE = Evidence.of(new byte[0]);
    private static final long[] NO_CANDIDATES = {};

    final Key key;
    final ArrivalOrder order;
    // Of who asks, while others are compared with it; the bitmap is null where none is used.
    BitSketch sketch;
    Evidence evidence;

    @Nullable
    BitmapFilter bitmap;

    /** Whether the last one is known to be no match: it is compared only as it may be the nearest of those. */
    boolean isRuledOut;

    private final int coordinator;
    private final int verifiedMax;
    private final Consumer<VerificationSession> whenComplete;
    /**
     * From the front on, the likely: differences above a sequence number, so that to sort these ranks them. Of those
     * that were compared the front keeps the deferred. At the end the numbers of those whose sketches are to be looked
     * for in the state.
     */
    private long[] candidates;

    private int size;
    private int firstToLoad;
    private int next;
    /** 0 before they are ranked. */
    private int round;

    private int deferred;
    /** How many were compared in this round that were not ruled out. */
    private int placesTaken;
    /** Those that have still to arrive again, and the topic of one of them. */
    final List<DocumentRef> early = new ArrayList<>(0);

    String awaitedTopic = "";

    private final Comparator<Neighbour> bestFirst;
    private final int nearestMax;
    private final List<Neighbour> nearest = new ArrayList<>(1);
    /** The most similar original that is no match; null where there is none. */
    private @Nullable Neighbour nearestBelow;

    private final Set<DocumentRef> redirects = new LinkedHashSet<>();
    /** Those that this coordinator will never know again. */
    final List<DocumentRef> unknown = new ArrayList<>(0);

    private int compared;
    /** How many would have been compared, if others had not come before them. */
    int beyond;
    /** What is still open: to compare the candidates, and each that is waited for. */
    private int parts = 1;

    /** Names a request: one that is repeated has the same. */
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
        this.nearestMax = isOutside() ? Neighbour.FOR_OUTSIDE_MAX : 1;
    }

    boolean isOutside() {
        return key.asker.isOutside();
    }

    /** Whether the asker is of the same coordinator as the candidates. */
    boolean isOwn() {
        return key.asker.coordinator() == coordinator;
    }

    /** Whether a pending candidate came behind who asks. */
    boolean isYounger(PendingDocument candidate) {
        return order.isOlderThan(candidate.order);
    }

    /** What it takes of the heap while it compares, about. */
    long bytes() {
        return evidence.bytes().length + (long) Long.BYTES * candidates.length;
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
        candidates[size++] = (long) differences << DocumentRef.SEQUENCE_BITS | candidate.sequence();
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
            beginRound(2, deferred);
            deferred = 0;
        }
        return new DocumentRef(coordinator, candidates[next++] & DocumentRef.SEQUENCE_MAX);
    }

    private void beginRound(int number, int itsCandidates) {
        round = number;
        next = 0;
        size = itsCandidates;
        placesTaken = 0;
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
        return (isRuledOut ? compared : placesTaken) < verifiedMax;
    }

    void takePlace() {
        compared++;
        placesTaken += isRuledOut ? 0 : 1;
    }

    /**
     * Goes on with those that had still to arrive again, in new rounds: they may be likelier than all that were
     * compared before, and so have places of their own.
     */
    void resume() {
        beginRound(0, 0);
        early.forEach(this::addToLoad);
        early.clear();
    }

    // ---- the answer

    /** Whether one would be the best by now. */
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

    /** The best by now; null where there is none. */
    @Nullable
    Neighbour best() {
        return nearest.isEmpty() ? null : nearest.get(0);
    }

    /** An original that is no match. */
    void addBelow(Neighbour original) {
        if (nearestBelow == null || bestFirst.compare(original, nearestBelow) < 0) {
            nearestBelow = original;
        }
    }

    /** How similar the most similar of those is; 0 where there is none. */
    double similarityBelow() {
        return nearestBelow == null ? 0 : nearestBelow.similarity().value();
    }

    /** @param original or an older document that is pending; null for nobody */
    void redirectTo(@Nullable DocumentRef original) {
        if (original != null) {
            redirects.add(original);
        }
    }

    /** One more is waited for. */
    void addWait() {
        parts++;
    }

    /**
     * One that was waited for is decided, or certain to be a duplicate.
     *
     * @param original it, null where it is none
     * @param repeated what it repeats, null where it is no duplicate
     */
    void closeWait(@Nullable Neighbour original, @Nullable DocumentRef repeated) {
        if (original != null) {
            add(original);
        }
        redirectTo(repeated);
        closePart();
    }

    /** All are compared: it can wait for long, and keeps no more than the answer takes. */
    void closeComparing() {
        sketch = BitSketch.NONE;
        evidence = NO_EVIDENCE;
        bitmap = null;
        candidates = NO_CANDIDATES;
        early.clear();
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
                beyond);
    }
}
