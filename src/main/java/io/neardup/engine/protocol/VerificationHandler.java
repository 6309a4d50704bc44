package io.neardup.engine.protocol;

import io.neardup.engine.protocol.CoordinatorCounts.Tally;
import io.neardup.engine.protocol.DocumentCoordinator.LoopbackOutbox;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.BitmapFilter;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Similarity;
import io.neardup.engine.similarity.SimilarityJudge;
import io.neardup.engine.similarity.SketchTable;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a coordinator answers Verify, as the class comment of {@link DocumentCoordinator} has it: what is likely of a
 * request is compared in a {@link VerificationSession}, and there is one answer, when nothing of it is open any more
 * ({@link OpenAnswer}). What is counted here is of documents alone, not of who asks from outside.
 */
final class VerificationHandler {
    /** Reading the state and sending the answer take as long as comparing so many bytes of evidence. */
    static final long ANSWER_BYTES = 1_000;

    /** As if the sketch had no differences. */
    private static final int FIRST = 0;

    private static final long BYTES_MAX = 64L << 20;
    private static final long OUTSIDE_BYTES_MAX = 16L << 20;

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
    private final SessionQueue ofDocuments = new SessionQueue(BYTES_MAX);
    private final SessionQueue ofOutside = new SessionQueue(OUTSIDE_BYTES_MAX);
    private final Map<OpenAnswer.Key, OpenAnswer> open = new HashMap<>();
    /** By coordinator, the latest epoch in which it asked. */
    private final Map<Integer, Integer> epochs = new HashMap<>();

    private final EarlyRequests early = new EarlyRequests();
    final BitmapCache bitmaps = new BitmapCache();
    private long firstAskMillis = -1;

    // What it counted: see CoordinatorCounts.
    final Tally sketchDifferences = new Tally();
    long unlike;
    long beyond;

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
    }

    /**
     * The requests that wait for their turn, in the order in which they came: a step answers as many as its bound
     * allows. A crash forgets them, and then their askers ask again.
     */
    static final class SessionQueue {
        private final long bytesMax;
        private final Deque<VerificationSession> sessions = new ArrayDeque<>();
        private long bytes;
        long dropped;

        SessionQueue(long bytesMax) {
            this.bytesMax = bytesMax;
        }

        boolean isEmpty() {
            return sessions.isEmpty();
        }

        /** Whether there is room for one that comes; else it is dropped, as if the message were lost. */
        boolean admits() {
            boolean hasRoom = bytes < bytesMax;
            dropped += hasRoom ? 0 : 1;
            return hasRoom;
        }

        void add(VerificationSession session) {
            sessions.add(session);
            bytes += session.bytes();
        }

        /** There must be one. */
        VerificationSession first() {
            return sessions.getFirst();
        }

        void removeFirst() {
            bytes -= sessions.removeFirst().bytes();
        }
    }

    // ---- requests come

    /**
     * A request came: it is sifted at once as far as sketches are at hand, and answered in its turn. Those of who asks
     * from outside come behind all of documents.
     */
    void add(Verify request) {
        int asking = request.asker().coordinator();
        int latest = epochs.getOrDefault(asking, 0);
        if (request.epoch() > latest) {
            epochs.put(asking, request.epoch());
            open.keySet().removeIf(key -> key.asker().coordinator() == asking);
            early.removeIf(session -> !isAwaited(session));
        }
        // Else who asked has started anew since, or repeats what will be answered.
        boolean isNew = request.epoch() >= latest && !open.containsKey(OpenAnswer.Key.of(request));
        if (isNew && queueOf(request).admits()) {
            OpenAnswer answer = new OpenAnswer(request, this::send);
            open.put(answer.key, answer);
            begin(session(request, answer));
        }
    }

    /** Whether the answer will be sent: who asked has not started anew, and has not to ask again. */
    private boolean isAwaited(VerificationSession session) {
        return open.get(session.answer.key) == session.answer;
    }

    private SessionQueue queueOf(Verify request) {
        return request.asker().isOutside() ? ofOutside : ofDocuments;
    }

    private VerificationSession session(Verify request, OpenAnswer answer) {
        return new VerificationSession(request, answer, rules.candidates().verifiedMax());
    }

    private void begin(VerificationSession session) {
        sift(session);
        if (session.isDone()) {
            session.answer.closePart();
        } else {
            queueOf(session.request).add(session);
        }
    }

    private void send(OpenAnswer complete) {
        if (open.remove(complete.key, complete)) {
            outbox.toCoordinator(complete.key.asker().coordinator(), complete.message());
        }
    }

    /** Whether requests wait for their turn. */
    boolean hasOpen() {
        return !ofDocuments.isEmpty() || !ofOutside.isEmpty();
    }

    /** The topics of documents that requests wait for, as they have not arrived again since the start. */
    Set<String> awaitedTopics() {
        return early.topics();
    }

    /** A record has arrived, or will not: requests about it wait no longer for it, only for their turn. */
    void resumeRequests(DocumentRef document) {
        early.take(document).forEach(this::begin);
    }

    /** Answers for what will not arrive any more. */
    void answerForGone(long nowMillis) {
        firstAskMillis = firstAskMillis < 0 ? nowMillis : firstAskMillis;
        if (nowMillis - firstAskMillis > COME_AGAIN_MILLIS_MAX) {
            sequences.expectNothingAgain();
        }
        for (DocumentRef document : early.documents()) {
            if (sequences.expectedAgain(document).isEmpty()) {
                resumeRequests(document);
            }
        }
    }

    // ---- sketches

    private void sift(VerificationSession session) {
        DocumentRefs candidates = session.request.candidates();
        BitSketch asker = session.request.sketch();
        int[] ofSketches = differences(candidates, asker);
        for (int i = 0; i < candidates.size(); i++) {
            DocumentRef candidate = candidates.get(i);
            if (asker.isNone()) {
                session.addLikely(candidate, i);
            } else if (ofSketches[i] != SketchTable.UNKNOWN) {
                sift(session, candidate, ofSketches[i]);
            } else if (session.isOutside()) {
                session.addLikely(candidate, FIRST); // Its sketch stays where it is.
            } else if (decisions.recentDuplicates.originalOf(candidate) == null) {
                session.addToLoad(candidate);
            } else {
                session.answer.redirectTo(decisions.recentDuplicates.originalOf(candidate));
            }
        }
    }

    private void sift(VerificationSession session, DocumentRef candidate, int ofSketch) {
        boolean isUnlike = ofSketch > rules.candidates().cut().differencesMax();
        if (!session.isOutside()) {
            sketchDifferences.note(ofSketch);
            unlike += isUnlike ? 1 : 0;
        }
        if (!isUnlike) {
            session.addLikely(candidate, ofSketch);
        }
    }

    /**
     * On how many values the sketch of each candidate differs from that of who asks; {@link SketchTable#UNKNOWN} where
     * one of the two is not at hand.
     */
    private int[] differences(DocumentRefs candidates, BitSketch asker) {
        long[] numbers = new long[candidates.size()];
        Arrays.setAll(numbers, i -> candidates.get(i).sequence());
        int[] differences = new int[numbers.length];
        Arrays.fill(differences, SketchTable.UNKNOWN);
        if (!asker.isNone()) {
            originals.sketches().differences(numbers, numbers.length, asker, differences);
            queue.sketches().differences(numbers, numbers.length, asker, differences);
        }
        return differences;
    }

    /** Sifts the next whose sketch was not at hand. One that has none may be still to arrive, or unknown. */
    private long siftNext(VerificationSession session) {
        DocumentRef candidate = session.nextToLoad();
        long bytes = originals.loadSketch(candidate);
        int ofSketch = differences(DocumentRefs.of(candidate), session.request.sketch())[0];
        if (ofSketch == SketchTable.UNKNOWN) {
            session.addLikely(candidate, FIRST);
        } else {
            sift(session, candidate, ofSketch);
        }
        return bytes;
    }

    // ---- candidates are compared

    /**
     * Goes on with the first open request: sifts the next candidate, or compares the next; there must be one.
     *
     * @return its cost, in bytes of evidence compared
     */
    long answerNext() {
        SessionQueue first = ofDocuments.isEmpty() ? ofOutside : ofDocuments;
        VerificationSession session = first.first();
        long cost = ANSWER_BYTES;
        if (!isAwaited(session)) {
            first.removeFirst();
            return cost;
        }
        if (session.hasToLoad()) {
            cost += siftNext(session);
        } else {
            cost += rank(session) + compareNext(session);
        }
        if (session.isDone()) {
            first.removeFirst();
            session.answer.closePart();
        }
        return cost;
    }

    /** Ranks the likely ones before the first is compared; of many a bitmap of who asks is made. */
    private long rank(VerificationSession session) {
        if (!session.rank() || !session.usesBitmaps()) {
            return 0;
        }
        Verify request = session.request;
        judge.bitmapOfFirst(request.evidence()).ifPresent(bitmap -> {
            session.bitmap = bitmap;
            if (request.asker().coordinator() == outbox.coordinator()) {
                bitmaps.put(request.asker().packed(), bitmap);
            }
        });
        return request.evidence().bytes().length;
    }

    private long compareNext(VerificationSession session) {
        DocumentRef candidate = nextToCompare(session);
        if (candidate == null) {
            return 0;
        }
        PendingDocument pending = queue.pending(candidate);
        if (pending != null) {
            return comparePending(pending, session);
        }
        Optional<Original> original = session.isOutside() ? originals.peek(candidate) : originals.find(candidate);
        if (original.isPresent()) {
            return compareOriginal(candidate, original.get(), session);
        }
        if (!session.isRuledOut) {
            handleNotFound(candidate, session);
        }
        return 0;
    }

    /** The next that is to be compared by its evidence; null where none is left. */
    private @Nullable DocumentRef nextToCompare(VerificationSession session) {
        OpenAnswer answer = session.answer;
        while (session.hasNext()) {
            DocumentRef candidate = session.next();
            PendingDocument pending = queue.pending(candidate);
            DocumentRef repeated = decisions.recentDuplicates.originalOf(candidate);
            boolean isYounger = pending != null && session.isYounger(pending);
            if (repeated != null || (pending != null && pending.isCertainDuplicate)) {
                answer.redirectTo(repeated);
                continue;
            }
            // Where an original matches, who asks is a duplicate: no younger one need know of it. And who asks need not
            // wait for what is not better than what it has.
            if (isYounger ? session.defer() || answer.best() != null : cannotBeBest(candidate, session)) {
                continue;
            }
            BitmapFilter bitmap = session.bitmap == null ? null : bitmaps.find(candidate.packed());
            session.isRuledOut = isRuledOut(bitmap, session);
            if (session.hasPlace()
                    && (!session.isRuledOut || (pending == null && mayBeNearestBelow(candidate, bitmap, session)))) {
                return candidate;
            }
            if (session.isRuledOut) {
                unlike++;
            } else {
                beyond += session.isOutside() ? 0 : 1;
                answer.beyond++;
            }
        }
        return null;
    }

    private boolean cannotBeBest(DocumentRef candidate, VerificationSession session) {
        Neighbour equal = new Neighbour(candidate, "", Provenance.UNKNOWN, Similarity.EQUAL, false);
        return needed(session) >= 1 && !session.answer.isBest(equal);
    }

    /** Whether the sketch of the last one or its bitmap, if any, tells that it is not similar enough to matter. */
    private boolean isRuledOut(@Nullable BitmapFilter bitmap, VerificationSession session) {
        if (session.isOutside()) {
            return false;
        }
        double needed = needed(session);
        boolean isCut = !session.request.sketch().isNone()
                && session.differences() > rules.candidates().cut().differencesMax(needed);
        return isCut || bitmapsRuleOut(bitmap, session, needed);
    }

    private static boolean bitmapsRuleOut(
            @Nullable BitmapFilter candidate, VerificationSession session, double needed) {
        BitmapFilter asker = session.bitmap;
        return asker != null && candidate != null && asker.isBelow(needed, candidate);
    }

    /**
     * Whether an original is wanted as the nearest below the threshold: none is where one matches, and none that came
     * later, which is an original before who asks by a crash, a loss, or as that was deferred.
     */
    private boolean isWantedBelow(DocumentRef candidate, VerificationSession session) {
        return rules.namesNearest()
                && !session.isOutside()
                && session.answer.best() == null
                && !candidate.isLaterThan(session.request.asker());
    }

    /** Whether an original that is ruled out as a match may be the nearest below, as far as bitmaps tell. */
    private boolean mayBeNearestBelow(
            DocumentRef candidate, @Nullable BitmapFilter bitmap, VerificationSession session) {
        double nearest = session.answer.similarityBelow();
        return isWantedBelow(candidate, session) && (nearest == 0 || !bitmapsRuleOut(bitmap, session, nearest));
    }

    /** From which similarity on that of an original must be exact; below it matters to nobody. */
    private double exactFrom(DocumentRef candidate, VerificationSession session) {
        return isWantedBelow(candidate, session) ? session.answer.similarityBelow() : needed(session);
    }

    /**
     * How similar a candidate must be to matter: as the threshold says, or as the best original that is known by now.
     * Where repeats are to be noted, each that reaches the threshold matters; to who asks from outside, any.
     */
    private double needed(VerificationSession session) {
        if (session.isOutside()) {
            return 0;
        }
        Neighbour best = session.answer.best();
        if (best == null || rules.retention().refresh() || best.ref().isLaterThan(session.request.asker())) {
            return rules.threshold();
        }
        return Math.max(rules.threshold(), best.similarity().value());
    }

    private long comparePending(PendingDocument document, VerificationSession session) {
        OpenAnswer answer = session.answer;
        Evidence evidence = document.document.evidence();
        Neighbour compared = document.neighbour(compare(session, document.ref(), evidence, needed(session)), true);
        if (isMatch(compared) && !session.isOutside() && session.isYounger(document)) {
            answer.redirectTo(document.oldestYieldedTo());
            document.yieldTo(session.order);
            decisions.advance(document);
            return cost(session, evidence);
        }
        Consumer<Neighbour> into =
                session.isOutside() ? answer::add : reported -> document.addWaiter(answer, reported.similarity());
        return cost(session, evidence) + report(compared, evidence, session, into);
    }

    private long compareOriginal(DocumentRef candidate, Original original, VerificationSession session) {
        Evidence evidence = original.document().evidence();
        Similarity similarity = compare(session, candidate, evidence, exactFrom(candidate, session));
        Neighbour compared = original.neighbour(candidate, similarity);
        if (isMatch(compared) && !session.isOutside()) {
            originals.repeat(candidate, original.origin());
        } else if (isWantedBelow(candidate, session) && similarity.value() > 0) {
            session.answer.addBelow(compared);
        }
        return cost(session, evidence) + report(compared, evidence, session, session.answer::add);
    }

    private boolean isMatch(Neighbour compared) {
        return compared.similarity().value() >= rules.threshold();
    }

    /** @param exactFrom the similarity may be any below this, where it is below */
    private Similarity compare(
            VerificationSession session, DocumentRef candidate, Evidence evidence, double exactFrom) {
        session.takePlace();
        session.answer.compared++;
        if (session.bitmap != null && bitmaps.isWanted(candidate.packed())) {
            judge.bitmap(evidence).ifPresent(bitmap -> bitmaps.put(candidate.packed(), bitmap));
        }
        return judge.similarity(session.request.evidence(), evidence, exactFrom);
    }

    private static long cost(VerificationSession session, Evidence candidate) {
        return (long) session.request.evidence().bytes().length + candidate.bytes().length;
    }

    /**
     * Hands on what may be the best, or any to who asks from outside. Only that is compared as a whole, too.
     *
     * @return what that costs more
     */
    private long report(Neighbour compared, Evidence candidate, VerificationSession session, Consumer<Neighbour> into) {
        boolean matters = session.isOutside()
                || (isMatch(compared) && (rules.retention().refresh() || session.answer.isBest(compared)));
        if (!matters) {
            return 0;
        }
        Similarity similarity = compared.similarity();
        if (similarity.knowsWhole()) {
            into.accept(compared);
            return 0;
        }
        Similarity both = similarity.withWhole(judge.whole(session.request.evidence(), candidate));
        into.accept(compared.with(both));
        return both.knowsWhole() ? cost(session, candidate) : 0;
    }

    private void handleNotFound(DocumentRef candidate, VerificationSession session) {
        OpenAnswer answer = session.answer;
        if (mustAwaitArrival(candidate, session)) {
            answer.addPart();
            VerificationSession later = session(session.request.only(candidate), answer);
            if (!early.add(candidate, sequences.topicOf(candidate), later)) {
                open.remove(answer.key); // It is never complete: who asked will ask again.
                early.removeIf(other -> !isAwaited(other));
            }
        } else if (sequences.isPast(candidate) && !originals.isKept(candidate)) {
            answer.addUnknown(candidate); // It is certain that this coordinator will never know it again.
        }
    }

    private boolean mustAwaitArrival(DocumentRef candidate, VerificationSession session) {
        return !session.isOutside()
                && sequences
                        .expectedAgain(candidate)
                        .filter(order -> order.isOlderThan(session.order))
                        .isPresent();
    }

    /** How many requests of documents were dropped since the start, as too many waited. */
    long dropped() {
        return ofDocuments.dropped + early.dropped;
    }
}
