package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Decision.Bound;
import io.neardup.engine.protocol.Message.Dismissal;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.engine.protocol.Message.Verified;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.similarity.Similarity;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A document on its way to a decision: what it asked, what was answered, and who waits for it. Everything here but the
 * arrival order and the document can be rebuilt by asking again.
 */
final class PendingDocument {
    private static final long NOBODY = -1;

    private final ArrivalOrder order;
    private final SignedDocument document;
    private final Origin origin;
    private final boolean isJudged;
    private final BandResponses bandResponses;
    private final AskedCandidates asked = new AskedCandidates();
    // Most documents have no candidates, nor waiters: their sets and the map are never made.
    private Set<DocumentRef> adopted = Set.of();
    private Map<DocumentRef, Waiter> waiters = Map.of();
    /** Whether the candidates are so many that those who belong together need not have been returned to each other. */
    private boolean followsRedirects;
    /** Whom candidates yielded to or repeat. */
    private Set<DocumentRef> redirects = Set.of();

    private long askedAtOnce = NOBODY;
    private Set<Bound> bounds = Set.of();
    private @Nullable ArrivalOrder yieldedTo;
    private boolean isCertainDuplicate;
    private long nextAskMillis;
    private boolean askedOnce;
    private long notedCandidateBytes;

    /** @param isJudged false where it becomes an original whatever it resembles, as soon as it is in all its buckets */
    PendingDocument(
            ArrivalOrder order,
            SignedDocument document,
            Origin origin,
            boolean isJudged,
            List<Partitions.Share> shares) {
        this.order = order;
        this.document = document;
        this.origin = origin;
        this.isJudged = isJudged;
        this.bandResponses = new BandResponses(shares);
    }

    ArrivalOrder order() {
        return order;
    }

    DocumentRef ref() {
        return order.ref();
    }

    SignedDocument document() {
        return document;
    }

    Origin origin() {
        return origin;
    }

    boolean isJudged() {
        return isJudged;
    }

    // ---- lookups

    /** What the index partitions answered to the lookups of a document. */
    private static final class BandResponses {
        private final List<Partitions.Share> shares;
        /** One a share. */
        private final boolean[] answered;

        private int missing;
        // Most documents have no candidates.
        private List<DocumentRefs> found = List.of();
        private int returned;

        BandResponses(List<Partitions.Share> shares) {
            this.shares = shares;
            this.answered = new boolean[shares.size()];
            this.missing = shares.size();
        }

        boolean awaits(int indexPartition) {
            int share = shareOf(indexPartition);
            return share >= 0 && !answered[share];
        }

        private int shareOf(int indexPartition) {
            for (int i = 0; i < answered.length; i++) {
                if (shares.get(i).indexPartition() == indexPartition) {
                    return i;
                }
            }
            return -1;
        }

        /** Takes an answer; false, with nothing changed, if it is not awaited. */
        boolean add(int indexPartition, Found inBuckets) {
            if (!awaits(indexPartition)) {
                return false;
            }
            answered[shareOf(indexPartition)] = true;
            missing--;
            if (!inBuckets.candidates().isEmpty()) {
                found = found.isEmpty() ? new ArrayList<>() : found;
                found.add(inBuckets.candidates());
                returned += inBuckets.candidates().size();
            }
            return true;
        }

        /**
         * Takes what was returned: the first that each index partition returned, then the second of each; some twice.
         */
        DocumentRefs takeFoundInTurns() {
            DocumentRefs.Builder inTurns = new DocumentRefs.Builder();
            int turns = found.stream().mapToInt(DocumentRefs::size).max().orElse(0);
            for (int turn = 0; turn < turns; turn++) {
                for (DocumentRefs answer : found) {
                    if (turn < answer.size()) {
                        inTurns.add(answer.packed(turn));
                    }
                }
            }
            found = List.of();
            returned = 0;
            return inTurns.take();
        }

        /** About how many bytes of heap those take that were returned. */
        long bytes() {
            return (long) Long.BYTES * returned;
        }
    }

    /** Its band keys, by the index partition that owns them. */
    List<Partitions.Share> shares() {
        return bandResponses.shares;
    }

    boolean awaits(int indexPartition) {
        return bandResponses.awaits(indexPartition);
    }

    /** Takes the answer of an index partition; one that answered already changes nothing. True for the last one. */
    boolean addFound(int indexPartition, Found inBuckets) {
        if (!bandResponses.add(indexPartition, inBuckets)) {
            return false;
        }
        if (inBuckets.truncated() > 0) {
            markTruncated(Bound.CANDIDATES);
        }
        if (inBuckets.fullBuckets() > 0) {
            mark(Bound.BUCKET);
        }
        return allBandsAnswered();
    }

    boolean allBandsAnswered() {
        return bandResponses.missing == 0;
    }

    // ---- redirects

    /**
     * It asks those whom it is redirected to from now on, as there are so many candidates that those who belong
     * together need not have been returned to each other.
     */
    void followRedirects() {
        followsRedirects = true;
    }

    /** Learns of one that a candidate yielded to or repeats. */
    void addRedirect(DocumentRef other) {
        if (!asked.has(other.packed())) {
            redirects = redirects.isEmpty() ? new LinkedHashSet<>() : redirects;
            redirects.add(other);
        }
    }

    /**
     * Whom a match repeats is a likely match, too: it is asked about at once, whatever else is open. One at a time, as
     * each request carries the document.
     */
    DocumentRefs askRedirectAtOnce() {
        if (!followsRedirects || redirects.isEmpty() || asked.isOpen(askedAtOnce)) {
            return DocumentRefs.NONE;
        }
        DocumentRef other = redirects.iterator().next();
        redirects.remove(other);
        askedAtOnce = other.packed();
        if (asked.has(askedAtOnce)) {
            return DocumentRefs.NONE;
        }
        asked.addAgain(askedAtOnce);
        return DocumentRefs.of(other);
    }

    /** Those whom it was redirected to become candidates. To be called where no candidate is a match. */
    void adoptRedirects() {
        if (followsRedirects) {
            redirects.stream().filter(other -> !asked.has(other.packed())).forEach(this::adopt);
            redirects = Set.of();
        }
    }

    // ---- bounds

    /** Candidates were truncated at a bound: it may not have been returned those who belong to it. */
    void markTruncated(Bound bound) {
        mark(bound);
        followRedirects();
    }

    private void mark(Bound bound) {
        bounds = bounds.isEmpty() ? EnumSet.noneOf(Bound.class) : bounds;
        bounds.add(bound);
    }

    /** Why candidates were, or may have been, missed. */
    Set<Bound> bounds() {
        return bounds;
    }

    // ---- candidates

    /** Makes a document a candidate that others point to: an older one that asks, or whom a candidate yielded to. */
    private void adopt(DocumentRef other) {
        adopted = adopted.isEmpty() ? new LinkedHashSet<>() : adopted;
        adopted.add(other);
    }

    /** Asks about the adopted ones: together, once no answer is missing, as each request carries the document. */
    void askAdopted(DocumentRefs.Builder into) {
        if (adopted.isEmpty() || (bandResponses.found.isEmpty() && !asked.areAllJudged())) {
            return;
        }
        for (DocumentRef ref : adopted) {
            if (!asked.isOpen(ref.packed())) {
                asked.addAgain(ref.packed());
                into.add(ref.packed());
            }
        }
        adopted = Set.of();
    }

    /**
     * Asks about those that the index partitions returned: the first that each of them returned, then the second of
     * each.
     *
     * @param max how many at the most
     * @return how many more there are, which are truncated
     */
    int askFound(int max, DocumentRefs.Builder into) {
        if (bandResponses.found.isEmpty()) {
            return 0;
        }
        int before = asked.size();
        int truncated = 0;
        DocumentRefs found = bandResponses.takeFoundInTurns();
        asked.reserve(found.size());
        for (int i = 0; i < found.size(); i++) {
            long ref = found.packed(i);
            if (asked.size() - before >= max) {
                truncated += asked.addTruncated(ref) ? 1 : 0;
            } else if (asked.add(ref)) {
                into.add(ref);
            }
        }
        return truncated;
    }

    /** By how many bytes of heap its candidates have grown since the last call, about; negative where they shrank. */
    long candidateBytesGrown() {
        long now = asked.bytes() + bandResponses.bytes();
        long grown = now - notedCandidateBytes;
        notedCandidateBytes = now;
        return grown;
    }

    /** How many bytes of heap its candidates took at the last call of {@link #candidateBytesGrown}. */
    long candidateBytes() {
        return notedCandidateBytes;
    }

    AskedCandidates candidates() {
        return asked;
    }

    /** Takes an answer; one that was not asked for or came before changes nothing. */
    void addVerified(Verified verified) {
        // One that came later waits for this one, and is an original before it only by a crash, a loss, or as this one
        // was certain to be a duplicate by then.
        asked.judge(verified, verified.candidate().isLaterThan(ref()));
    }

    void addDismissal(Dismissal dismissal) {
        asked.dismissDuplicates(dismissal.duplicates());
        asked.dismissNoMatch(dismissal.noMatch());
        asked.truncate(dismissal.truncated());
        asked.defer(dismissal.deferred());
        dismissal.redirects().forEach(this::addRedirect);
        if (!dismissal.truncated().isEmpty()) {
            markTruncated(Bound.RANK);
        }
        if (!dismissal.deferred().isEmpty()) {
            followRedirects();
        }
    }

    /** Notes that it is a duplicate, of whichever original. */
    void noteCertainDuplicate() {
        isCertainDuplicate = true;
    }

    /** Whether only the most similar of its originals is still to be found. */
    boolean isCertainDuplicate() {
        return isCertainDuplicate;
    }

    // ---- others that ask about it

    /**
     * Yields to an older one that asks. It asks that one again that was a duplicate: that may be unique after a crash,
     * where its original is gone.
     */
    void yieldTo(ArrivalOrder older) {
        long ref = older.ref().packed();
        if (!asked.has(ref) || asked.isRedirected(ref)) {
            adopt(older.ref());
        }
        yieldedTo = yieldedTo == null || older.isOlderThan(yieldedTo) ? older : yieldedTo;
    }

    /** The oldest that it yielded to, null if to none. */
    @Nullable
    DocumentRef yieldedTo() {
        return yieldedTo == null ? null : yieldedTo.ref();
    }

    /**
     * Who waits for the decision on it.
     *
     * @param similarity of who waits, first, and this one
     * @param epoch in which it asked
     */
    record Waiter(Similarity similarity, int epoch) {
        /** An answer to an earlier epoch counts for nobody. */
        private static Waiter later(Waiter known, Waiter next) {
            return next.epoch < known.epoch ? known : next;
        }
    }

    /**
     * Who asks waits from now on.
     *
     * @param similarity of who asks, first, and this one
     */
    void addWaiter(Verify request, Similarity similarity) {
        waiters = waiters.isEmpty() ? new LinkedHashMap<>() : waiters;
        waiters.merge(request.asker(), new Waiter(similarity, request.epoch()), Waiter::later);
    }

    /** Whether who asks waits already: it need not be compared again. */
    boolean hasWaiter(Verify request) {
        Waiter waiter = waiters.get(request.asker());
        return waiter != null && waiter.epoch == request.epoch();
    }

    boolean hasWaiters() {
        return !waiters.isEmpty();
    }

    /** Nobody waits any more: each is handed over. */
    void releaseWaiters(BiConsumer<DocumentRef, Waiter> to) {
        Map<DocumentRef, Waiter> released = waiters;
        waiters = Map.of();
        released.forEach(to);
    }

    // ---- asking again

    boolean isDueToAsk(long nowMillis) {
        return nowMillis >= nextAskMillis;
    }

    /**
     * Sets when to ask again if no decision came: after the first interval, and then after twice that each time. Who
     * waits at a coordinator that is started again is forgotten there: longer intervals would let it wait longer with
     * each start.
     */
    void scheduleNextAsk(long nowMillis, long firstIntervalMillis) {
        nextAskMillis = nowMillis + (askedOnce ? 2 * firstIntervalMillis : firstIntervalMillis);
        askedOnce = true;
    }
}
