package io.neardup.engine.protocol;

import io.neardup.engine.protocol.DocumentCoordinator.LoopbackOutbox;
import io.neardup.engine.protocol.Message.CheckVerify;
import io.neardup.engine.protocol.Message.Verified;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Similarity;
import io.neardup.engine.similarity.SimilarityJudge;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * How a coordinator answers Verify: which candidates are likely matches ({@link Sifting}), how similar the asker is to
 * each of these, and whether it is an original. A request about a pending candidate waits for its decision where that
 * is the older of the two; one about a document that has still to be read again after a restart waits for that.
 */
final class VerificationHandler {
    /** Reading the state and sending the answer take as long as comparing so many bytes of evidence. */
    static final long ANSWER_BYTES = 1_000;

    /**
     * What has not arrived again so long after the first {@link #answerForGone} is gone from the input: nobody waits
     * for it any more.
     */
    private static final long COME_AGAIN_MILLIS_MAX = 600_000;

    private final CoordinatorRules rules;
    private final SimilarityJudge judge;
    private final SequenceAllocator sequences;
    private final Originals originals;
    private final ReleaseQueue<?> queue;
    private final Decisions decisions;
    private final LoopbackOutbox outbox;
    private final OpenSessions sessions = new OpenSessions();
    private final EarlyRequests early = new EarlyRequests();
    private final CheckHandler checks;
    private final Sifting sifting;
    private long firstAskMillis = -1;
    private long verified;

    VerificationHandler(
            CoordinatorRules rules,
            SimilarityJudge judge,
            SequenceAllocator sequences,
            Originals originals,
            ReleaseQueue<?> queue,
            Decisions decisions,
            LoopbackOutbox outbox) {
        this.rules = rules;
        this.judge = judge;
        this.sequences = sequences;
        this.originals = originals;
        this.queue = queue;
        this.decisions = decisions;
        this.outbox = outbox;
        this.sifting = new Sifting(rules, judge, originals, queue, decisions, outbox);
        this.checks = new CheckHandler(rules.candidates(), judge, originals, queue, sifting, outbox);
    }

    /**
     * The sessions that are still to be answered, in the order in which their requests came: a step answers as many as
     * its bound allows. A crash forgets them, and then their askers ask again.
     */
    static final class OpenSessions {
        private static final long BYTES_MAX = 64L << 20;

        private final Map<DocumentRef, VerificationSession> byAsker = new LinkedHashMap<>();
        private long bytes;
        private long dropped;

        boolean isEmpty() {
            return byAsker.isEmpty();
        }

        /**
         * Takes a request; one that is repeated counts once. Beyond {@value #BYTES_MAX} bytes it is dropped, as if the
         * message were lost: who asked will ask again.
         *
         * @param sift sifts what it can at once: few candidates are left to wait
         */
        void add(Verify request, BiConsumer<VerificationSession, DocumentRefs> sift) {
            VerificationSession known = byAsker.get(request.asker());
            if (known != null && request.epoch() < known.request().epoch()) {
                return; // Who asked has started anew since, and asked again.
            }
            if (known != null && request.epoch() > known.request().epoch()) {
                remove(known); // Nobody waits for answers to an earlier epoch.
                known = null;
            }
            if (bytes >= BYTES_MAX) {
                dropped++;
                return;
            }
            VerificationSession session = known == null ? new VerificationSession(request) : known;
            bytes -= known == null ? 0 : known.bytes();
            sift.accept(session, known == null ? request.candidates() : session.without(request.candidates()));
            if (!session.isAnswered()) {
                byAsker.put(request.asker(), session);
                bytes += session.note();
            } else {
                byAsker.remove(request.asker());
            }
        }

        long dropped() {
            return dropped;
        }

        /** The first that is not answered; there must be one. */
        VerificationSession first() {
            return byAsker.values().iterator().next();
        }

        void remove(VerificationSession answered) {
            byAsker.remove(answered.request().asker());
            bytes -= answered.bytes();
        }
    }

    // ---- requests come

    /** A request came: it is sifted at once as far as sketches are at hand, and answered in its turn. */
    void add(Verify request) {
        sessions.add(request, this::siftAtOnce);
    }

    private void siftAtOnce(VerificationSession session, DocumentRefs candidates) {
        sifting.sift(session, candidates);
        if (session.isSifted() && !session.usesOutlines()) {
            sifting.rank(session);
            sifting.dismissRest(session);
        }
    }

    /** A request from outside came: it is answered when no document's is open. */
    void add(CheckVerify request) {
        checks.add(request);
    }

    /** Whether requests wait for their turn. */
    boolean hasOpen() {
        return !sessions.isEmpty() || !checks.isEmpty();
    }

    /** The topics of documents that requests wait for, as they have not arrived again since the start. */
    Set<String> awaitedTopics() {
        return early.topics();
    }

    /** A record has arrived: who asked for it too early is answered now. */
    void noteArrived(DocumentRef document) {
        if (!early.isEmpty()) {
            openEarly(document);
        }
    }

    /** Requests about a document wait no longer for it, only for their turn. */
    private void openEarly(DocumentRef document) {
        early.take(document).forEach(request -> add(request.only(document)));
    }

    /** Answers for what will not arrive any more. */
    void answerForGone(long nowMillis) {
        firstAskMillis = firstAskMillis < 0 ? nowMillis : firstAskMillis;
        if (nowMillis - firstAskMillis > COME_AGAIN_MILLIS_MAX) {
            sequences.expectNothingAgain();
        }
        for (DocumentRef document : early.documents()) {
            if (sequences.expectedAgain(document).isEmpty()) {
                openEarly(document);
            }
        }
    }

    // ---- candidates are verified

    /**
     * Goes on with the first open request: sifts the next candidate, ranks, or verifies the next; there must be one.
     *
     * @return its cost, in bytes of evidence compared
     */
    long answerNext() {
        if (sessions.isEmpty()) {
            return checks.answerNext();
        }
        VerificationSession first = sessions.first();
        long cost;
        if (!first.isSifted()) {
            cost = ANSWER_BYTES + sifting.siftNext(first);
        } else if (!first.isRanked()) {
            cost = ANSWER_BYTES + sifting.rank(first);
        } else {
            cost = verifyNext(first);
            sifting.dismissRest(first);
        }
        if (first.isAnswered()) {
            sessions.remove(first);
        }
        return cost;
    }

    private long verifyNext(VerificationSession session) {
        DocumentRef candidate = sifting.next(session);
        if (candidate == null) {
            return ANSWER_BYTES;
        }
        PendingDocument document = queue.pending(candidate);
        if (document != null && !document.isCertainDuplicate()) {
            return verifyPending(document, session);
        }
        // Most that were released are duplicates: to look for each in the state would cost most of all.
        if (document != null || decisions.originalOf(candidate) != null) {
            return answerAsDuplicate(candidate, session);
        }
        Optional<Original> original = originals.find(candidate);
        return original.isPresent()
                ? verifyOriginal(candidate, original.get(), session)
                : answerAsNotKnown(candidate, session);
    }

    private long verifyPending(PendingDocument document, VerificationSession session) {
        Verify request = session.request();
        if (document.hasWaiter(request)) {
            session.noteAwaited();
            return ANSWER_BYTES;
        }
        Evidence evidence = document.document().evidence();
        DocumentRef candidate = document.ref();
        double needed = sifting.needed(session, candidate.packed());
        Similarity similarity = compare(session, candidate, evidence, needed);
        long cost = ANSWER_BYTES + bytes(request, evidence);
        if (similarity.value() < rules.threshold()) {
            answer(request, candidate, similarity, null, null);
        } else if (similarity.value() < needed) {
            session.defer(candidate.packed());
        } else if (document.order().isOlderThan(session.order())) {
            Similarity match = withWhole(similarity, request, evidence);
            document.addWaiter(request, match);
            session.noteAwaited();
            cost += costOfWhole(similarity, match, request, evidence);
        } else {
            answer(request, candidate, similarity, null, document.yieldedTo());
            document.yieldTo(session.order());
            decisions.advance(document);
        }
        return cost;
    }

    private long verifyOriginal(DocumentRef candidate, Original original, VerificationSession session) {
        Verify request = session.request();
        Evidence evidence = original.evidence();
        double needed = sifting.needed(session, candidate.packed());
        Similarity similarity = compare(session, candidate, evidence, needed);
        long cost = ANSWER_BYTES + bytes(request, evidence);
        if (similarity.value() < rules.threshold()) {
            answer(request, candidate, similarity, original.id(), null);
        } else if (similarity.value() < needed) {
            session.defer(candidate.packed());
        } else {
            Similarity match = withWhole(similarity, request, evidence);
            cost += costOfWhole(similarity, match, request, evidence);
            noteMatch(session, candidate, original, match);
            answer(request, candidate, match, original.id(), null);
        }
        return cost;
    }

    private void noteMatch(VerificationSession session, DocumentRef candidate, Original original, Similarity match) {
        originals.repeat(candidate, original);
        if (candidate.isLaterThan(session.request().asker())) {
            return; // Any other match counts before it: the rest is worth comparing.
        }
        sifting.noteMatch(session);
        if (!rules.retention().refresh()) {
            // Else each that is repeated must be noted, however many are more similar.
            session.noteOriginal(match.value());
        }
    }

    private long answerAsNotKnown(DocumentRef candidate, VerificationSession session) {
        if (mustAwaitArrival(candidate, session)) {
            early.add(candidate, sequences.topicOf(candidate), session.request());
            return ANSWER_BYTES;
        }
        return answerAsDuplicate(candidate, session);
    }

    private boolean mustAwaitArrival(DocumentRef candidate, VerificationSession session) {
        return sequences
                .expectedAgain(candidate)
                .filter(order -> order.isOlderThan(session.order()))
                .isPresent();
    }

    /** Of one that is unknown by now, too. */
    private long answerAsDuplicate(DocumentRef candidate, VerificationSession session) {
        DocumentRef repeated = decisions.originalOf(candidate);
        DocumentRef redirect = repeated == null && isUnknown(candidate) ? candidate : repeated;
        answer(session.request(), candidate, Similarity.NONE, null, redirect);
        return ANSWER_BYTES;
    }

    /** Whether it is certain that this coordinator will never know it again. */
    private boolean isUnknown(DocumentRef candidate) {
        return sequences.isPast(candidate) && !originals.isKept(candidate);
    }

    /**
     * Sends the answer about one candidate.
     *
     * @param originalId null where the candidate is no original, or no match
     * @param redirect whom to ask in its place; null where nobody is known
     */
    private void answer(
            Verify request,
            DocumentRef candidate,
            Similarity similarity,
            @Nullable String originalId,
            @Nullable DocumentRef redirect) {
        DocumentRef asker = request.asker();
        outbox.toCoordinator(
                asker.coordinator(), new Verified(asker, request.epoch(), candidate, similarity, originalId, redirect));
    }

    private Similarity compare(VerificationSession session, DocumentRef candidate, Evidence evidence, double needed) {
        verified++;
        sifting.keepOutline(session, candidate, evidence);
        return judge.similarity(session.request().evidence(), evidence, needed);
    }

    /** Only a match is reported, so only of a match the rest is worth comparing. */
    private Similarity withWhole(Similarity match, Verify request, Evidence candidate) {
        return match.knowsWhole() ? match : match.withWhole(judge.whole(request.evidence(), candidate));
    }

    /** What the second comparison of a match costs, where the first did not give both similarities. */
    private static long costOfWhole(Similarity first, Similarity match, Verify request, Evidence candidate) {
        return match.knowsWhole() && !first.knowsWhole() ? bytes(request, candidate) : 0;
    }

    private static long bytes(Verify request, Evidence candidate) {
        return (long) request.evidence().bytes().length + candidate.bytes().length;
    }

    // ---- what it counts

    Sifting sifting() {
        return sifting;
    }

    /** How many requests of documents were dropped since the start, as too many waited. */
    long dropped() {
        return sessions.dropped() + early.dropped();
    }

    /** How many candidates were compared by their evidence since the start. */
    long verified() {
        return verified;
    }
}
