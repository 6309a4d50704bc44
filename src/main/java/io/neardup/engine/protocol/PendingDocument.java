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
 * A document on its way to a decision: its requests, their answers, and the sessions that wait for it. All but its
 * arrival order and the content of its record can be rebuilt by repeating requests, its own and those of others.
 */
final class PendingDocument {
    /** How many of the candidates returned it asks about: they have to fit into a message and into a step. */
    private static final int FOUND_MAX = 2_000;

    final ArrivalOrder order;
    final SignedDocument document;
    final Origin origin;
    /** False if it becomes an original whatever it resembles, as soon as it is in all its buckets. */
    final boolean isJudged;

    private final Partitions partitions;
    /** Of its requests; answers repeat it. */
    private final int epoch;
    /** The index partitions that have not answered. */
    private final BitSet unansweredPartitions;
    /** The candidates of each index partition, until they are asked about. */
    private final List<DocumentRefs> found = new ArrayList<>();

    private final List<Request> requests = new ArrayList<>();
    /** Candidates that it asked about; one that it asked about again counts again. */
    int asked;
    /** Of these, the ones that were compared by their evidence. */
    int compared;
    /** Its buckets that were full, and may have refused others. */
    int fullBuckets;

    /** Candidates that were returned; each once when all index partitions have answered. */
    int returned;
    /** Candidates that were truncated, by index partitions or here. */
    int truncated;
    /** Likely candidates that were not compared, as others came before them. */
    int notCompared;
    /** From the answers, the best first: originals that it repeats; of a {@link Check} the most similar documents. */
    final List<Neighbour> nearest = new ArrayList<>();
    /** From the answers, the most similar original below the threshold; null if there is none. */
    @Nullable
    Neighbour nearestBelow;

    private @Nullable ArrivalOrder oldestYieldedTo;
    /** Documents that it yielded to and has still to ask about. */
    private Set<DocumentRef> yieldedToAsk = Set.of();
    /** Documents that it may ask about in place of candidates. */
    private Set<DocumentRef> redirects = Set.of();

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
            Partitions partitions) {
        this.order = order;
        this.epoch = epoch;
        this.document = document;
        this.origin = origin;
        this.isJudged = isJudged;
        this.partitions = partitions;
        this.unansweredPartitions = partitions.owners(document.keys());
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

    /** How many index partitions have not answered. */
    int unansweredPartitions() {
        return unansweredPartitions.cardinality();
    }

    boolean allPartitionsAnswered() {
        return unansweredPartitions.isEmpty();
    }

    /** Takes the candidates returned: the first of each index partition, then the second of each, and so on. */
    private List<DocumentRef> takeFound() {
        if (found.isEmpty()) { // Nothing new: those taken before stay counted.
            return List.of();
        }
        List<DocumentRef> all = DocumentRefs.interleaved(found);
        found.clear();
        returned = Math.min(all.size(), FOUND_MAX);
        truncated += all.size() - returned;
        return all.subList(0, returned);
    }

    /** Why candidates were, or may have been, missed. */
    Set<Bound> bounds() {
        if (fullBuckets == 0 && truncated == 0 && notCompared == 0) {
            return Set.of();
        }
        Set<Bound> met = EnumSet.noneOf(Bound.class);
        if (fullBuckets > 0) {
            met.add(Bound.BUCKET);
        }
        if (truncated > 0) {
            met.add(Bound.CANDIDATES);
        }
        if (notCompared > 0) {
            met.add(Bound.RANK);
        }
        return Set.copyOf(met);
    }

    // ---- requests

    private static final class Request {
        final Verify message;
        /** Whether candidates came from index partitions: if the answer is bounded, they may be asked about again. */
        final boolean isOfFound;

        boolean isAnswered;
        boolean isBounded;

        Request(Verify message, boolean isOfFound) {
            this.message = message;
            this.isOfFound = isOfFound;
        }

        /** Whether its answer covers a candidate, or will; a bounded answer may not. */
        boolean covers(DocumentRef candidate) {
            return !(isOfFound && isBounded) && message.candidates().contains(candidate);
        }
    }

    /**
     * Sends the requests that are due, each once: about the candidates of the index partitions, when all of these have
     * answered, and about the documents that it yielded to. Where no original matches, and it asked about many or met a
     * bound, also about redirects: so of any number of copies each finds the original.
     *
     * @param manyMin from this many asked candidates on it also asks about redirects: an original that it repeats had
     *     about as many, and a bound may have cut this document from them
     */
    void askNext(int manyMin, MessageOutbox outbox) {
        List<DocumentRef> some = takeFound();
        // Without new candidates, the documents that it yielded to wait until no request is open.
        if (!some.isEmpty() || isAnswered()) {
            Collection<DocumentRef> due = some;
            if (!yieldedToAsk.isEmpty()) {
                yieldedToAsk.addAll(some);
                due = yieldedToAsk;
                yieldedToAsk = Set.of();
            }
            askAbout(due, !some.isEmpty(), outbox);
        }
        if (!redirects.isEmpty() && isAnswered() && nearest.isEmpty() && (asked >= manyMin || !bounds().isEmpty())) {
            redirects.removeIf(other -> requests.stream().anyMatch(request -> request.covers(other)));
            askAbout(redirects, false, outbox);
            redirects = Set.of();
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

    /** Sends all requests that are not answered, the first time or again. */
    void sendUnanswered(MessageOutbox outbox) {
        // Not kept: thousands of documents wait, and the garbage collector would copy it with each.
        for (Share share : partitions.split(document.keys())) {
            if (unansweredPartitions.get(share.indexPartition())) {
                outbox.toIndex(share.indexPartition(), new Lookup(ref(), epoch, share.keys()));
            }
        }
        if (!requests.isEmpty()) { // The first time there are none.
            unanswered().forEach(request -> outbox.toCoordinator(request.message.coordinator(), request.message));
        }
    }

    /** Repeats the requests that a coordinator has not answered. */
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

    /** Whether all requests are answered. */
    boolean isAnswered() {
        boolean isAnswered = allPartitionsAnswered();
        for (Request request : requests) { // No stream: this is called several times for each document.
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
        request.isBounded = answer.notCompared() > 0;
        compared += answer.compared();
        notCompared += answer.notCompared();
        nearest.addAll(answer.nearest());
        Comparator<Neighbour> bestFirst = Neighbour.bestFirst(ref());
        nearest.sort(bestFirst);
        Neighbour below = answer.nearestBelow();
        if (below != null && (nearestBelow == null || bestFirst.compare(below, nearestBelow) < 0)) {
            nearestBelow = below;
        }
        if (!answer.redirects().isEmpty()) {
            redirects = redirects.isEmpty() ? new LinkedHashSet<>() : redirects;
            redirects.addAll(answer.redirects());
            redirects.remove(ref());
        }
        return true;
    }

    // ---- requests of others about it

    /**
     * Yields to an older document that asked. It will ask about that one, unless an open request does; again even if it
     * did before, as one that was only certain to be a duplicate may be unique after a crash.
     */
    void yieldTo(ArrivalOrder older) {
        if (oldestYieldedTo == null || older.isOlderThan(oldestYieldedTo)) {
            oldestYieldedTo = older;
        }
        if (unanswered().noneMatch(request -> request.covers(older.ref()))) {
            yieldedToAsk = yieldedToAsk.isEmpty() ? new LinkedHashSet<>() : yieldedToAsk;
            yieldedToAsk.add(older.ref());
        }
    }

    /** The oldest document that it yielded to, null if there is none. */
    @Nullable
    DocumentRef oldestYieldedTo() {
        return oldestYieldedTo == null ? null : oldestYieldedTo.ref();
    }

    /**
     * A session that waits for the decision on it.
     *
     * @param similarity of the asker, first, and this document
     */
    record Waiter(VerificationSession session, Similarity similarity) {}

    void addWaiter(VerificationSession session, Similarity similarity) {
        session.addWait();
        waiters.add(new Waiter(session, similarity));
    }

    // ---- when to repeat requests

    boolean isDueToAsk(long nowMillis) {
        return nowMillis >= nextAskMillis;
    }

    /** Sets when to repeat requests if there is no decision: after the first interval, and then every twice that. */
    void scheduleNextAsk(long nowMillis, long firstIntervalMillis) {
        nextAskMillis = nowMillis + (nextAskMillis == 0 ? firstIntervalMillis : 2 * firstIntervalMillis);
    }
}
