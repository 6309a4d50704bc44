package io.neardup.engine.protocol;

import io.neardup.engine.protocol.CoordinatorCounts.Tally;
import io.neardup.engine.protocol.DocumentCoordinator.MessageOutbox;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.protocol.SequenceAllocator.SequenceBlock;
import io.neardup.engine.similarity.BitmapCache;
import io.neardup.engine.similarity.BitmapFilter;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Similarity;
import io.neardup.engine.similarity.SimilarityJudge;
import io.neardup.engine.similarity.SketchTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Answers each Verify in a {@link VerificationSession}; the class comment of {@link DocumentCoordinator} tells what an
 * answer says. Counts are of requests of documents, not of checks.
 */
final class VerificationHandler {
    /** Each call costs as much as comparing this many bytes of evidence, beside those that are compared. */
    private static final long CALL_BYTES = 1_000;

    /** Differences of a candidate without a sketch: it comes first. */
    private static final int FIRST = 0;

    private static final long BYTES_MAX = 64L << 20;
    private static final long CHECK_BYTES_MAX = 16L << 20;

    private final CoordinatorRules rules;
    private final SimilarityJudge judge;
    private final SequenceAllocator sequences;
    private final Originals originals;
    private final ReleaseQueue<?> queue;
    private final Decisions decisions;
    private final MessageOutbox outbox;
    /** All sessions that are not answered. */
    private final Map<VerificationSession.Key, VerificationSession> open = new HashMap<>();

    /** The oldest asker first: the sooner it is decided, the fewer look-alikes are compared with each other. */
    final SessionQueue documentSessions = new SessionQueue(
            BYTES_MAX, new PriorityQueue<>(Comparator.comparing((VerificationSession session) -> session.order)));

    private final SessionQueue checkSessions = new SessionQueue(CHECK_BYTES_MAX, new ArrayDeque<>());
    /** By coordinator, the latest epoch in which it asked. */
    private final Map<Integer, Integer> epochs = new HashMap<>();

    final BitmapCache bitmaps = new BitmapCache();

    // See CoordinatorCounts.
    final Tally sketchDifferences = new Tally();
    long ruledOut;
    long notCompared;
    /** Of this call of {@link #processNextCandidate}, in bytes. */
    private long cost;

    VerificationHandler(
            CoordinatorRules rules,
            SimilarityJudge judge,
            SequenceAllocator sequences,
            Originals originals,
            ReleaseQueue<?> queue,
            Decisions decisions,
            MessageOutbox outbox) {
        this.rules = rules;
        this.judge = judge;
        this.sequences = sequences;
        this.originals = originals;
        this.queue = queue;
        this.decisions = decisions;
        this.outbox = outbox;
    }

    /**
     * Requests whose candidates are not all compared: those that are queued, and those that are suspended, as
     * candidates have still to arrive again. A crash loses them; then their askers repeat them.
     */
    static final class SessionQueue {
        private final long bytesMax;
        final Queue<VerificationSession> queued;
        /** By topic, those that go on when all records of it that an earlier epoch had read have arrived again. */
        private final Map<String, List<VerificationSession>> suspended = new HashMap<>();

        /** Of those queued. While it is below the bound another is admitted, however long. */
        private long bytes;

        private long suspendedBytes;
        long dropped;

        SessionQueue(long bytesMax, Queue<VerificationSession> queued) {
            this.bytesMax = bytesMax;
            this.queued = queued;
        }

        /** Whether there is room for a request; else it is counted as dropped, as if the message were lost. */
        boolean tryAdmit() {
            boolean hasRoom = bytes < bytesMax;
            dropped += hasRoom ? 0 : 1;
            return hasRoom;
        }

        void add(VerificationSession session) {
            queued.add(session);
            bytes += session.bytes();
        }

        void removeFirst() {
            bytes -= queued.remove().bytes();
        }

        /** Suspends a session until its candidates have arrived again; false if too many are, and it is dropped. */
        boolean suspend(VerificationSession session) {
            if (suspendedBytes + session.bytes() > bytesMax) {
                dropped++;
                return false;
            }
            suspended
                    .computeIfAbsent(session.awaitedTopic, topic -> new ArrayList<>())
                    .add(session);
            suspendedBytes += session.bytes();
            return true;
        }

        void resume(String topic) {
            for (VerificationSession session : suspended.remove(topic)) {
                session.resume();
                suspendedBytes -= session.bytes();
                add(session);
            }
        }

        void removeOf(int coordinator) {
            queued.removeIf(session -> dropIfOf(coordinator, session));
            suspended
                    .values()
                    .removeIf(some -> some.removeIf(session -> dropIfOf(coordinator, session)) && some.isEmpty());
            bytes = queued.stream().mapToLong(VerificationSession::bytes).sum();
            suspendedBytes = suspended.values().stream()
                    .flatMap(List::stream)
                    .mapToLong(VerificationSession::bytes)
                    .sum();
        }

        private static boolean dropIfOf(int coordinator, VerificationSession session) {
            if (session.key.asker().coordinator() != coordinator) {
                return false;
            }
            session.closeComparing(); // A candidate that it waits for may keep it for long.
            return true;
        }
    }

    // ---- requests arrive

    /** Sifts a request by the sketches in the heap, and queues it; checks come after the requests of documents. */
    void add(Verify request) {
        int asking = request.asker().coordinator();
        int latest = epochs.getOrDefault(asking, 0);
        if (request.epoch() > latest) {
            epochs.put(asking, request.epoch());
            open.keySet().removeIf(key -> key.asker().coordinator() == asking);
            documentSessions.removeOf(asking);
        }
        if (request.epoch() < latest || open.containsKey(VerificationSession.Key.of(request))) {
            return; // The asker has restarted since, or repeats a request that will be answered.
        }
        VerificationSession session = new VerificationSession(request, rules.verifiedMax(), this::send);
        SessionQueue sessions = session.isCheck() ? checkSessions : documentSessions;
        if (sessions.tryAdmit()) {
            open.put(session.key, session);
            sift(session, request.candidates());
            if (session.isDone()) {
                session.closeComparing();
            } else {
                sessions.add(session);
            }
        }
    }

    private void send(VerificationSession complete) {
        if (open.remove(complete.key, complete)) {
            outbox.toCoordinator(complete.key.asker().coordinator(), complete.message());
        }
    }

    /** Whether requests have candidates that can be compared now. */
    boolean hasQueued() {
        return !documentSessions.queued.isEmpty() || !checkSessions.queued.isEmpty();
    }

    /** The topics of documents that requests wait for, as they have not arrived again since the start. */
    Set<String> awaitedTopics() {
        Set<String> topics = documentSessions.suspended.keySet();
        return topics.isEmpty() ? Set.of() : Set.copyOf(topics);
    }

    /** Queues the requests that were suspended for a topic of which all has arrived again; false if there are none. */
    boolean resumeSuspended() {
        Optional<String> arrived = documentSessions.suspended.keySet().stream()
                .filter(topic -> !sequences.expectsAgain(topic))
                .findFirst();
        arrived.ifPresent(documentSessions::resume);
        return arrived.isPresent();
    }

    // ---- sketches

    private void sift(VerificationSession session, DocumentRefs candidates) {
        long[] numbers = candidates.stream().mapToLong(DocumentRef::sequence).toArray();
        int[] differences = originals.sketches.differences(numbers, session.sketch);
        for (int i = 0; i < candidates.size(); i++) {
            DocumentRef candidate = candidates.get(i);
            if (session.sketch.isNone()) {
                session.addLikely(candidate, i);
            } else if (differences[i] != SketchTable.UNKNOWN) {
                sift(session, candidate, differences[i]);
            } else if (session.isCheck()) {
                session.addLikely(candidate, FIRST); // A check changes nothing: no sketch is loaded.
            } else if (decisions.recentDuplicates.originalOf(candidate) == null) {
                session.addToLoad(candidate);
            } else {
                session.redirectTo(decisions.recentDuplicates.originalOf(candidate));
            }
        }
    }

    private void sift(VerificationSession session, DocumentRef candidate, int differences) {
        boolean isRuledOut = differences > rules.differencesMax();
        if (!session.isCheck()) {
            sketchDifferences.note(differences);
            ruledOut += isRuledOut ? 1 : 0;
        }
        if (!isRuledOut) {
            session.addLikely(candidate, differences);
        }
    }

    /** Sifts the next candidate whose sketch was not in the heap. Without any it may be unknown, or yet to arrive. */
    private void siftNext(VerificationSession session) {
        DocumentRef candidate = session.nextToLoad();
        PendingDocument pending = queue.pending(candidate);
        if (pending == null || pending.isCertainDuplicate) {
            cost += originals.loadSketch(candidate);
        } else {
            originals.keepSketch(candidate, pending.document);
        }
        int differences = originals.sketches.differences(new long[] {candidate.sequence()}, session.sketch)[0];
        if (differences == SketchTable.UNKNOWN) {
            session.addLikely(candidate, FIRST);
        } else {
            sift(session, candidate, differences);
        }
    }

    // ---- candidates are compared

    /** Sifts or compares the next candidate of the first request that needs it; returns the cost in bytes. */
    long processNextCandidate() {
        SessionQueue sessions = documentSessions.queued.isEmpty() ? checkSessions : documentSessions;
        VerificationSession session = sessions.queued.element();
        cost = CALL_BYTES;
        if (session.hasToLoad()) {
            siftNext(session);
        } else {
            rank(session);
            compareNext(session);
        }
        if (session.isDone()) {
            sessions.removeFirst();
            if (session.toArriveAgain.isEmpty()) {
                session.closeComparing();
            } else if (!sessions.suspend(session)) {
                open.remove(session.key); // Who asked will ask again.
                session.closeComparing();
            }
        }
        return cost;
    }

    /** Ranks the likely ones before the first is compared; if they are many, makes a bitmap of the asker. */
    private void rank(VerificationSession session) {
        if (session.rank() && session.usesBitmaps()) {
            cost += session.evidence.bytes().length;
            judge.bitmapOfFirst(session.evidence).ifPresent(bitmap -> {
                session.bitmap = bitmap;
                if (session.isOwn()) {
                    bitmaps.put(session.key.asker().packed(), bitmap);
                }
            });
        }
    }

    private void compareNext(VerificationSession session) {
        DocumentRef candidate = nextToCompare(session);
        if (candidate == null) {
            return;
        }
        PendingDocument pending = queue.pending(candidate);
        if (pending != null) {
            comparePending(pending, session);
            return;
        }
        Optional<Original> original = session.isCheck() ? originals.peek(candidate) : originals.find(candidate);
        if (original.isPresent()) {
            compareOriginal(candidate, original.get(), session);
        } else if (!session.isRuledOut) { // If one that is ruled out is gone, nobody need know.
            handleNotFound(candidate, session);
        }
    }

    /** The next candidate to be compared; null if none is left. Handles those before it that need no comparison. */
    private @Nullable DocumentRef nextToCompare(VerificationSession session) {
        while (session.hasNext()) {
            DocumentRef candidate = session.next();
            PendingDocument pending = queue.pending(candidate);
            DocumentRef repeated = pending != null && pending.isCertainDuplicate
                    ? pending.nearest.get(0).ref()
                    : decisions.recentDuplicates.originalOf(candidate);
            boolean isYounger = pending != null && session.isYounger(pending);
            if (repeated != null) {
                session.redirectTo(repeated);
                continue;
            }
            if (isYounger && session.defer()) {
                continue;
            }
            // If an original matches, the asker is a duplicate, and no younger one need yield to it. And none can be
            // better than an equal one.
            if (isYounger ? session.best() != null : cannotBeBest(candidate, session)) {
                continue;
            }
            BitmapFilter bitmap = session.bitmap == null ? null : bitmaps.find(candidate.packed());
            session.isRuledOut = bitmapsRuleOut(bitmap, session, needed(session));
            if (session.mayCompare()
                    && (!session.isRuledOut || (pending == null && mayBeNearestBelow(candidate, bitmap, session)))) {
                return candidate;
            }
            if (session.isRuledOut) {
                ruledOut++;
            } else {
                notCompared += session.isCheck() ? 0 : 1;
                session.notCompared++;
            }
        }
        return null;
    }

    private boolean cannotBeBest(DocumentRef candidate, VerificationSession session) {
        Neighbour equal = new Neighbour(candidate, "", Provenance.UNKNOWN, Similarity.EQUAL, false);
        return needed(session) >= 1 && !session.isBest(equal);
    }

    private static boolean bitmapsRuleOut(
            @Nullable BitmapFilter candidate, VerificationSession session, double needed) {
        BitmapFilter asker = session.bitmap;
        return asker != null && candidate != null && asker.isBelow(needed, candidate);
    }

    /**
     * Whether an original is wanted as the nearest below the threshold: not once another matches, and not if it came
     * later than the asker: {@link Neighbour#bestFirst} tells how that can be.
     */
    private boolean isWantedBelow(DocumentRef candidate, VerificationSession session) {
        return rules.reportsNearestBelow()
                && !session.isCheck()
                && session.best() == null
                && !candidate.isLaterThan(session.key.asker());
    }

    /** Whether an original that is ruled out as a match may be the nearest below the threshold, by its bitmap. */
    private boolean mayBeNearestBelow(
            DocumentRef candidate, @Nullable BitmapFilter bitmap, VerificationSession session) {
        return isWantedBelow(candidate, session)
                && (session.similarityBelow() == 0 || !bitmapsRuleOut(bitmap, session, session.similarityBelow()));
    }

    /**
     * The least similarity of a candidate that matters: the threshold, or that of the best original so far. Where
     * repeats are noted, each that reaches the threshold matters; for a check, any.
     */
    private double needed(VerificationSession session) {
        if (session.isCheck()) {
            return 0;
        }
        Neighbour best = session.best();
        if (best == null || rules.retention().refresh() || best.ref().isLaterThan(session.key.asker())) {
            return rules.threshold();
        }
        return Math.max(rules.threshold(), best.similarity().value());
    }

    private void comparePending(PendingDocument document, VerificationSession session) {
        Evidence evidence = document.document.evidence();
        Neighbour compared = document.neighbour(compare(session, document.ref(), evidence, needed(session)), true);
        if (isMatch(compared) && session.isYounger(document)) {
            session.redirectTo(document.oldestYieldedTo());
            document.yieldTo(session.order);
            decisions.advance(document);
        } else if (matters(compared, session)) {
            Neighbour whole = withWhole(compared, evidence, session);
            if (session.isCheck()) {
                session.add(whole);
            } else {
                document.addWaiter(session, whole.similarity());
            }
        }
    }

    private void compareOriginal(DocumentRef candidate, Original original, VerificationSession session) {
        Evidence evidence = original.document().evidence();
        boolean isWantedBelow = isWantedBelow(candidate, session);
        double exactFrom = isWantedBelow ? session.similarityBelow() : needed(session);
        Similarity similarity = compare(session, candidate, evidence, exactFrom);
        Neighbour compared = original.neighbour(candidate, similarity);
        if (isMatch(compared) && similarity.value() >= exactFrom && !session.isCheck()) {
            originals.noteRepeat(candidate, original.origin());
        } else if (isWantedBelow && similarity.value() > 0) {
            session.addBelow(compared);
        }
        if (matters(compared, session)) {
            session.add(withWhole(compared, evidence, session));
        }
    }

    private boolean isMatch(Neighbour compared) {
        return compared.similarity().value() >= rules.threshold();
    }

    /** Whether it may be the best; for a check, any matters. */
    private boolean matters(Neighbour compared, VerificationSession session) {
        return session.isCheck() || (isMatch(compared) && (rules.retention().refresh() || session.isBest(compared)));
    }

    /** @param exactFrom a similarity below this need not be exact, but is below it */
    private Similarity compare(
            VerificationSession session, DocumentRef candidate, Evidence evidence, double exactFrom) {
        session.countComparison();
        cost += bytesOfBoth(session, evidence);
        if (session.bitmap != null && bitmaps.isWanted(candidate.packed())) {
            judge.bitmap(evidence).ifPresent(bitmap -> bitmaps.put(candidate.packed(), bitmap));
        }
        return judge.similarity(session.evidence, evidence, exactFrom);
    }

    private static long bytesOfBoth(VerificationSession session, Evidence candidate) {
        return (long) session.evidence.bytes().length + candidate.bytes().length;
    }

    /** Compares the whole documents too, for one that may be the best. */
    private Neighbour withWhole(Neighbour compared, Evidence candidate, VerificationSession session) {
        if (compared.similarity().knowsWhole()) {
            return compared;
        }
        Similarity both = compared.similarity().withWhole(judge.whole(session.evidence, candidate));
        cost += both.knowsWhole() ? bytesOfBoth(session, candidate) : 0;
        return compared.with(both);
    }

    private void handleNotFound(DocumentRef candidate, VerificationSession session) {
        Optional<SequenceBlock> expected = session.isCheck() ? Optional.empty() : sequences.expectedAgain(candidate);
        if (expected.filter(block -> block.order(candidate).isOlderThan(session.order))
                .isPresent()) {
            session.toArriveAgain.add(candidate);
            session.awaitedTopic = expected.get().topic();
        } else if (sequences.isPast(candidate) && !originals.isKept(candidate)) {
            session.unknown.add(candidate); // This coordinator will certainly never know it again.
        }
    }
}
