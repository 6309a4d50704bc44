package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Decision.Bound;
import io.neardup.engine.protocol.DocumentCoordinator.MessageOutbox;
import io.neardup.engine.protocol.Message.Answer;
import io.neardup.engine.protocol.Message.Candidates;
import io.neardup.engine.protocol.Message.Lookup;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.protocol.Partitions.Share;
import io.neardup.engine.similarity.Similarity;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A document on its way to a decision: what it asked, what was answered, and who waits for it. All but its arrival
 * order and what its record says can be rebuilt by asking again, its own and that of others.
 */
final class PendingDocument {
    /** It asks about at most so many of those returned: they have to fit into a message and into a step. */
    private static final int FOUND_MAX = 2_000;

    final ArrivalOrder order;
    final SignedDocument document;
    final Origin origin;
    /** False where it becomes an original whatever it resembles, as soon as it is in all its buckets. */
    final boolean isJudged;
    /** Its band keys, by the index partition that owns them. */
    final List<Share> shares;

    /** In which it asks: it comes back in the answers. */
    private final int epoch;
    /** The index partitions that have not answered. */
    private final BitSet unansweredPartitions = new BitSet();
    /** What each index partition returned, until it is asked about. */
    private final List<DocumentRefs> found = new ArrayList<>();

    private final List<Request> requests = new ArrayList<>();
    /** How many candidates it asked about; one that it asked about again counts again. */
    int asked;
    /** How many of them were compared by their evidence. */
    int compared;
    /** How many of its buckets were full, and may have refused others. */
    int fullBuckets;

    /** How many candidates were returned; each once when all have answered. */
    int returned;
    /** How many were truncated, by index partitions or here. */
    int truncated;
    /** How many likely ones were not compared, as others came before them. */
    int beyond;
    /** What answers named, the best first: originals that it repeats; of a {@link Check} whatever is most similar. */
    final List<Neighbour> nearest = new ArrayList<>();
    /** The most similar original that answers named as no match; null where there is none. */
    @Nullable
    Neighbour nearestBelow;

    private @Nullable ArrivalOrder oldestYieldedTo;
    /** Whom it yielded to and is still to ask about. */
    private final Set<DocumentRef> olderToAsk = new LinkedHashSet<>();
    /** Whom it may ask in place of candidates. */
    private final Set<DocumentRef> redirects = new LinkedHashSet<>();

    final List<Waiter> waiters = new ArrayList<>();
    /** Whether it is a duplicate, and only the most similar of its originals is still to be found. */
    boolean isCertainDuplicate;

    private long nextAskMillis;

    PendingDocument(
            ArrivalOrder order,
            int epoch,
            SignedDocument document,
            Origin origin,
            boolean isJudged,
            List<Share> shares) {
        this.order = order;
        this.epoch = epoch;
        this.document = document;
        this.origin = origin;
        this.isJudged = isJudged;
        this.shares = shares;
        shares.forEach(share -> unansweredPartitions.set(share.indexPartition()));
    }

    DocumentRef ref() {
        return order.ref();
    }

    Neighbour neighbour(Similarity similarity, boolean isPending) {
        return new Neighbour(ref(), document.id(), origin.provenance(), similarity, isPending);
    }

    // ---- lookups

    /** Takes the answer of an index partition; false if it is not awaited. */
    boolean addFound(Candidates answer) {
        if (!unansweredPartitions.get(answer.indexPartition())) {
            return false;
        }
        unansweredPartitions.clear(answer.indexPartition());
        if (!answer.found().candidates().isEmpty()) {
            found.add(answer.found().candidates());
        }
        returned += answer.found().candidates().size();
        truncated += answer.found().truncated();
        fullBuckets += answer.found().fullBuckets();
        return true;
    }

    boolean allPartitionsAnswered() {
        return unansweredPartitions.isEmpty();
    }

    /** Takes what was returned: the first that each index partition returned, then the second of each. */
    private List<DocumentRef> takeFound() {
        if (found.isEmpty()) { // Nothing new: what was taken before stays counted.
            return List.of();
        }
        List<DocumentRef> all = DocumentRefs.inTurns(found);
        found.clear();
        returned = Math.min(all.size(), FOUND_MAX);
        truncated += all.size() - returned;
        return all.subList(0, returned);
    }

    /** Why candidates were, or may have been, missed. */
    Set<Bound> bounds() {
        Set<Bound> met = EnumSet.noneOf(Bound.class);
        if (fullBuckets > 0) {
            met.add(Bound.BUCKET);
        }
        if (truncated > 0) {
            met.add(Bound.CANDIDATES);
        }
        if (beyond > 0) {
            met.add(Bound.RANK);
        }
        return Set.copyOf(met);
    }

    // ---- requests

    private static final class Request {
        final Verify message;
        /** Whether index partitions returned some: if its answer is bounded, one of these may be asked about again. */
        final boolean isOfFound;

        boolean isAnswered;
        boolean isBounded;

        Request(Verify message, boolean isOfFound) {
            this.message = message;
            this.isOfFound = isOfFound;
        }

        /** Whether it will say, or has said, all about a candidate; one that was bounded may not have. */
        boolean covers(DocumentRef candidate) {
            return !(isOfFound && isBounded) && message.candidates().contains(candidate);
        }
    }

    /**
     * Asks what is to be asked now, each once: about those whom the index partitions returned, when all of them have
     * answered, and whom it yielded to. Where no original matches, and it had many candidates or met a bound, also
     * about redirects: so copies without end lead to their original.
     *
     * @param manyMin with so many candidates a match had about as many, and may have missed this one at its own bound
     */
    void askNext(int manyMin, MessageOutbox outbox) {
        List<DocumentRef> some = takeFound();
        if (!some.isEmpty() || isAnswered()) { // Whom it yields to gather until open requests are answered.
            if (olderToAsk.isEmpty()) {
                askAbout(some, !some.isEmpty(), outbox);
            } else {
                olderToAsk.addAll(some);
                askAbout(olderToAsk, !some.isEmpty(), outbox);
                olderToAsk.clear();
            }
        }
        if (isAnswered() && nearest.isEmpty() && (asked >= manyMin || !bounds().isEmpty())) {
            redirects.removeIf(other -> requests.stream().anyMatch(request -> request.covers(other)));
            askAbout(redirects, false, outbox);
            redirects.clear();
        }
    }

    private void askAbout(Collection<DocumentRef> candidates, boolean areFound, MessageOutbox outbox) {
        if (candidates.isEmpty()) {
            return;
        }
        Map<Integer, List<DocumentRef>> byCoordinator = candidates.stream()
                .collect(Collectors.groupingBy(DocumentRef::coordinator, TreeMap::new, Collectors.toList()));
        byCoordinator.forEach((coordinator, refs) -> {
            Verify message = new Verify(
                    ref(),
                    epoch,
                    requests.size(),
                    order.arrivalMillis(),
                    document.evidence(),
                    document.sketch(),
                    DocumentRefs.of(refs));
            requests.add(new Request(message, areFound));
            asked += refs.size();
            outbox.toCoordinator(coordinator, message);
        });
    }

    /** Asks, at first and again, whoever has not answered. */
    void sendUnanswered(MessageOutbox outbox) {
        for (Share share : shares) {
            if (unansweredPartitions.get(share.indexPartition())) {
                outbox.toBands(share.indexPartition(), new Lookup(ref(), epoch, share.keys()));
            }
        }
        unanswered().forEach(request -> outbox.toCoordinator(request.message.coordinator(), request.message));
    }

    /** Asks a coordinator again for what it has not answered. */
    void resendTo(int coordinator, MessageOutbox outbox) {
        unanswered()
                .filter(request -> request.message.coordinator() == coordinator)
                .forEach(request -> outbox.toCoordinator(coordinator, request.message));
    }

    boolean awaits(int coordinator) {
        return unanswered().anyMatch(request -> request.message.coordinator() == coordinator);
    }

    private Stream<Request> unanswered() {
        return requests.stream().filter(request -> !request.isAnswered);
    }

    /** Whether all have answered that were asked. */
    boolean isAnswered() {
        boolean isAnswered = allPartitionsAnswered();
        for (Request request : requests) { // No stream: this is asked several times of each document.
            isAnswered &= request.isAnswered;
        }
        return isAnswered;
    }

    /** Takes an answer of a coordinator; false if it is not awaited. */
    boolean addAnswer(Answer answer) {
        if (answer.request() >= requests.size() || requests.get(answer.request()).isAnswered) {
            return false;
        }
        Request request = requests.get(answer.request());
        request.isAnswered = true;
        request.isBounded = answer.beyond() > 0;
        compared += answer.compared();
        beyond += answer.beyond();
        nearest.addAll(answer.nearest());
        Comparator<Neighbour> bestFirst = Neighbour.bestFirst(ref());
        nearest.sort(bestFirst);
        Neighbour below = answer.nearestBelow();
        if (below != null && (nearestBelow == null || bestFirst.compare(below, nearestBelow) < 0)) {
            nearestBelow = below;
        }
        redirects.addAll(answer.redirects());
        redirects.remove(ref());
        return true;
    }

    // ---- others that ask about it

    /**
     * Yields to an older one that asks. It asks about that one, too, unless it does already; also again, as one that
     * was only certain to be a duplicate may be unique after a crash.
     */
    void yieldTo(ArrivalOrder older) {
        if (oldestYieldedTo == null || older.isOlderThan(oldestYieldedTo)) {
            oldestYieldedTo = older;
        }
        if (unanswered().noneMatch(request -> request.covers(older.ref()))) {
            olderToAsk.add(older.ref());
        }
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
    record Waiter(VerificationSession session, Similarity similarity) {}

    /** Who asks waits from now on. */
    void addWaiter(VerificationSession session, Similarity similarity) {
        session.addWait();
        waiters.add(new Waiter(session, similarity));
    }

    // ---- asking again

    boolean isDueToAsk(long nowMillis) {
        return nowMillis >= nextAskMillis;
    }

    /** Sets when to ask again if no decision came: after the first interval, and then every twice that. */
    void scheduleNextAsk(long nowMillis, long firstIntervalMillis) {
        nextAskMillis = nowMillis + (nextAskMillis == 0 ? firstIntervalMillis : 2 * firstIntervalMillis);
    }
}
