package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Decision.Bound;
import io.neardup.engine.protocol.Message.Answer;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.similarity.Similarity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A document on its way to a decision: what it asked, what was answered, and who waits for it. Everything here but the
 * arrival order and the document can be rebuilt by asking again.
 */
final class PendingDocument {
    /** So many of those that are returned it asks about: they have to fit into a message and into a step. */
    private static final int FOUND_MAX = 2_000;

    private final ArrivalOrder order;
    private final SignedDocument document;
    private final Origin origin;
    private final boolean isJudged;
    private final BandResponses bandResponses;
    // Most documents have no candidates, nor waiters: their collections are never made.
    private List<Request> requests = List.of();
    private int unanswered;
    private int asked;
    private int compared;
    private int beyond;
    private List<Neighbour> nearest = List.of();
    /** Of those it yielded to, whom it is still to ask about. */
    private Set<Long> olderToAsk = Set.of();
    /** Whom it may ask in place of candidates. */
    private Set<Long> redirects = Set.of();
    /** All that it yielded to. */
    private Set<Long> yieldedTo = Set.of();

    private @Nullable ArrivalOrder oldestYieldedTo;
    private Set<Bound> bounds = Set.of();
    private List<Waiter> waiters = List.of();
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

        /** Takes what was returned: the first that each index partition returned, then the second of each. */
        Set<Long> takeFound() {
            if (found.isEmpty()) {
                return Set.of();
            }
            Set<Long> inTurns = new LinkedHashSet<>(2 * returned);
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
            return inTurns;
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
            mark(Bound.CANDIDATES);
        }
        if (inBuckets.fullBuckets() > 0) {
            mark(Bound.BUCKET);
        }
        return allBandsAnswered();
    }

    boolean allBandsAnswered() {
        return bandResponses.missing == 0;
    }

    private void mark(Bound bound) {
        bounds = bounds.isEmpty() ? EnumSet.noneOf(Bound.class) : bounds;
        bounds.add(bound);
    }

    /** Why candidates were, or may have been, missed. */
    Set<Bound> bounds() {
        return bounds;
    }

    // ---- requests

    /** A message to a coordinator about some candidates. */
    static final class Request {
        private final int number;
        private final DocumentRefs candidates;
        /** Whether index partitions returned them, or most of them. A request about redirects is never repeated. */
        private final boolean isOfFound;

        private boolean isAnswered;
        private boolean isBounded;

        private Request(int number, DocumentRefs candidates, boolean isOfFound) {
            this.number = number;
            this.candidates = candidates;
            this.isOfFound = isOfFound;
        }

        /** Counts those of its document, from 0; the answer has it, too. */
        int number() {
            return number;
        }

        DocumentRefs candidates() {
            return candidates;
        }

        int coordinator() {
            return DocumentRef.coordinator(candidates.packed(0));
        }

        /** Whether it will say, or has said, all about a candidate; one beyond the bound it has not. */
        private boolean covers(long candidate) {
            return !(isOfFound && isBounded) && candidates.has(candidate);
        }
    }

    /**
     * What is to be asked now, each request once: about those whom the index partitions returned, when all of them
     * have answered, and whom it yielded to. Where no original matches, and it had many candidates or met a bound, also
     * about redirects: so copies without end lead to their original.
     *
     * @param manyMin from so many candidates on, a match may have had as many, and this one beyond its bound
     */
    List<Request> nextRequests(int manyMin) {
        Set<Long> found = atMostMax(bandResponses.takeFound());
        List<Request> next = new ArrayList<>();
        if (!found.isEmpty() || unanswered == 0) {
            Set<Long> all = new LinkedHashSet<>(olderToAsk);
            all.addAll(found);
            addRequests(all, !found.isEmpty(), next);
            olderToAsk = Set.of();
        }
        boolean followsRedirects = !bounds.isEmpty() || asked >= manyMin;
        if (unanswered == 0 && nearest.isEmpty() && followsRedirects) {
            addRequests(redirects.stream().filter(other -> !isAskedAbout(other)).toList(), false, next);
            redirects = Set.of();
        }
        return next;
    }

    private Set<Long> atMostMax(Set<Long> found) {
        if (found.size() <= FOUND_MAX) {
            return found;
        }
        beyond += found.size() - FOUND_MAX;
        mark(Bound.CANDIDATES);
        return found.stream().limit(FOUND_MAX).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private void addRequests(Collection<Long> candidates, boolean areFound, List<Request> into) {
        if (candidates.isEmpty()) {
            return;
        }
        Map<Integer, DocumentRefs.Builder> byCoordinator = new TreeMap<>();
        candidates.forEach(candidate -> byCoordinator
                .computeIfAbsent(DocumentRef.coordinator(candidate), coordinator -> new DocumentRefs.Builder())
                .add(candidate));
        requests = requests.isEmpty() ? new ArrayList<>() : requests;
        byCoordinator.values().forEach(refs -> {
            Request request = new Request(requests.size(), refs.take(), areFound);
            requests.add(request);
            into.add(request);
            unanswered++;
            asked += request.candidates().size();
        });
    }

    private boolean isAskedAbout(long candidate) {
        return requests.stream().anyMatch(request -> request.covers(candidate));
    }

    Stream<Request> unanswered() {
        return requests.stream().filter(request -> !request.isAnswered);
    }

    /** Whether all have answered that were asked. */
    boolean isAnswered() {
        return allBandsAnswered() && unanswered == 0;
    }

    /** Takes an answer of a coordinator; false, with nothing changed, if it is not awaited. */
    boolean addAnswer(Answer answer) {
        if (answer.request() >= requests.size() || requests.get(answer.request()).isAnswered) {
            return false;
        }
        Request request = requests.get(answer.request());
        request.isAnswered = true;
        request.isBounded = answer.beyond() > 0;
        unanswered--;
        compared += answer.compared();
        beyond += answer.beyond();
        answer.nearest().forEach(this::addNearest);
        if (request.isBounded) {
            mark(Bound.RANK);
        }
        if (request.isBounded && request.isOfFound) {
            // It may lie beyond the bound there, and does not know of this one: ask about it alone.
            yieldedTo.stream().filter(request.candidates::has).forEach(this::askAboutOlder);
        }
        for (DocumentRef other : answer.redirects()) {
            if (!other.equals(ref())) {
                redirects = redirects.isEmpty() ? new LinkedHashSet<>() : redirects;
                redirects.add(other.packed());
            }
        }
        return true;
    }

    private void addNearest(Neighbour neighbour) {
        nearest = nearest.isEmpty() ? new ArrayList<>(1) : nearest;
        nearest.add(neighbour);
        nearest.sort(Neighbour.bestFirst(ref()));
    }

    /** What answers named, the best first: of a document that is no check, originals that it repeats. */
    List<Neighbour> nearest() {
        return nearest;
    }

    /** How many candidates it asked about; one that it asked about again counts again. */
    int asked() {
        return asked;
    }

    /** How many of them were compared by their evidence. */
    int compared() {
        return compared;
    }

    /** How many likely ones were not, as others came before them. */
    int beyond() {
        return beyond;
    }

    /** By how many bytes of heap its candidates have grown since the last call, about. */
    long candidateBytesGrown() {
        long now = (long) Long.BYTES * (asked + bandResponses.returned);
        long grown = now - notedCandidateBytes;
        notedCandidateBytes = now;
        return grown;
    }

    /** How many bytes of heap its candidates took at the last call of {@link #candidateBytesGrown}. */
    long candidateBytes() {
        return notedCandidateBytes;
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
     * Yields to an older one that asks. It asks about that one, too, unless it does already; also again, as one that
     * was a duplicate may be unique after a crash, where its original is gone.
     */
    void yieldTo(ArrivalOrder older) {
        long ref = older.ref().packed();
        yieldedTo = yieldedTo.isEmpty() ? new LinkedHashSet<>() : yieldedTo;
        yieldedTo.add(ref);
        if (unanswered().noneMatch(request -> request.covers(ref))) {
            askAboutOlder(ref);
        }
        oldestYieldedTo = oldestYieldedTo == null || older.isOlderThan(oldestYieldedTo) ? older : oldestYieldedTo;
    }

    private void askAboutOlder(long older) {
        olderToAsk = olderToAsk.isEmpty() ? new LinkedHashSet<>() : olderToAsk;
        olderToAsk.add(older);
    }

    /** The oldest that it yielded to, null if to none. */
    @Nullable
    DocumentRef oldestYieldedTo() {
        return oldestYieldedTo == null ? null : oldestYieldedTo.ref();
    }

    /**
     * Who waits for the decision on it.
     *
     * @param similarity of who waits, first, and this one
     */
    record Waiter(OpenAnswer answer, Similarity similarity) {}

    /**
     * Who asks waits from now on.
     *
     * @param similarity of who asks, first, and this one
     */
    void addWaiter(OpenAnswer answer, Similarity similarity) {
        answer.addPart();
        waiters = waiters.isEmpty() ? new ArrayList<>() : waiters;
        waiters.add(new Waiter(answer, similarity));
    }

    boolean hasWaiters() {
        return !waiters.isEmpty();
    }

    /** Nobody waits any more: each is handed over. */
    void releaseWaiters(Consumer<Waiter> to) {
        List<Waiter> released = waiters;
        waiters = List.of();
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
