package io.neardup.engine.protocol;

import io.neardup.engine.protocol.CoordinatorCounts.Tally;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.protocol.CoordinatorState.Entry;
import io.neardup.engine.protocol.DocumentCoordinator.MessageOutbox;
import io.neardup.engine.protocol.Message.Answer;
import io.neardup.engine.protocol.Message.Candidates;
import io.neardup.engine.protocol.Message.Neighbour;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How a coordinator brings its pending documents to a decision: it sends their requests, repeats those that are not
 * answered, and decides when all are. Requests of others are in {@link VerificationHandler}.
 *
 * <p>Where versions are replaced, a document waits for earlier ones of its id, and takes the place of their original.
 */
final class Decisions {
    /** How long a pending document waits before it repeats its requests the first time; later twice as long. */
    private static final long ASK_AGAIN_MILLIS = 10_000;

    /** How many documents may repeat their requests in one {@link #askAgain} even if none was decided recently. */
    private static final int AGAIN_MIN = 25;

    /** Unknown candidates removed from buckets between two {@link #askAgain}; others are when they are met again. */
    private static final int UNKNOWN_MAX = 100;

    private static final double RETURNED_WEIGHT = 1 / 64.0;

    private final CoordinatorRules rules;
    private final Originals originals;
    private final ReleaseQueue<?> queue;
    private final MessageOutbox outbox;
    private final boolean replacesVersions;
    final RecentDuplicates recentDuplicates = new RecentDuplicates();

    /** By id, the pending documents, where versions are replaced. */
    private final Map<String, NavigableSet<DocumentRef>> pendingById = new HashMap<>();

    /** Pending documents that waited for an earlier one of their id, which is decided now. */
    private final Deque<DocumentRef> nextVersions = new ArrayDeque<>();

    /** Candidates returned to pending documents. */
    private long returned;
    /** Pending documents that still await candidates. */
    private int awaitingCandidates;
    /** Candidates a document, as a moving average. */
    private double returnedMean;

    private int decidedSinceAskAgain;
    /** Candidates that their coordinators no longer knew. */
    private int unknownSinceAskAgain;

    // See CoordinatorCounts.
    final Tally asked = new Tally();
    final Tally compared = new Tally();
    long askedAgain;

    Decisions(CoordinatorRules rules, Originals originals, ReleaseQueue<?> queue, MessageOutbox outbox) {
        this.rules = rules;
        this.originals = originals;
        this.queue = queue;
        this.outbox = outbox;
        this.replacesVersions = rules.versions() == Versions.REPLACE;
    }

    /**
     * Heap, in bytes, of the candidates of pending documents. Candidates that are still to be returned count by the
     * moving average: in a flood of look-alikes each document gets hundreds, after many more documents have arrived.
     */
    long candidateBytes() {
        return (long) (Long.BYTES * (returned + awaitingCandidates * returnedMean));
    }

    /** Notes the original of a duplicate, decided now or in an earlier epoch, for requests about the duplicate. */
    void noteDecided(DocumentRef ref, Decision decision) {
        if (decision instanceof Decision.Duplicate duplicate) {
            recentDuplicates.add(ref, duplicate.original());
        }
    }

    // ---- asking

    void begin(PendingDocument document, long nowMillis) {
        awaitingCandidates++;
        originals.keepSketch(document.ref(), document.document);
        if (replacesVersions) {
            pendingById
                    .computeIfAbsent(document.document.id(), id -> new TreeSet<>())
                    .add(document.ref());
        }
        ask(document, nowMillis);
    }

    private void ask(PendingDocument document, long nowMillis) {
        document.scheduleNextAsk(nowMillis, ASK_AGAIN_MILLIS);
        document.sendUnanswered(outbox);
    }

    void receive(PendingDocument document, Candidates answer) {
        if (document.addFound(answer)) {
            returned += answer.found().candidates().size();
            if (document.allPartitionsAnswered()) { // Before, nothing is asked, so that no step is due.
                advance(document);
                awaitingCandidates--;
                returnedMean += RETURNED_WEIGHT * (document.returned - returnedMean);
            }
        }
    }

    /** A coordinator has answered. Candidates that it does not know are removed from the buckets. */
    void receive(PendingDocument document, Answer answer) {
        if (document.addAnswer(answer)) {
            for (DocumentRef candidate : answer.unknown()) {
                if (++unknownSinceAskAgain <= UNKNOWN_MAX) {
                    originals.removeFromBuckets(candidate, document.document.keys());
                }
            }
            advance(document);
        }
    }

    /**
     * Documents whose requests are overdue repeat them, the oldest first: twice as many documents as were decided since
     * the last time. Where answers are late because of load, more requests would delay them further; where requests
     * were lost, more are answered each time.
     */
    void askAgain(long nowMillis) {
        int max = Math.min(rules.bounds().askAgainMax(), Math.max(AGAIN_MIN, 2 * decidedSinceAskAgain));
        decidedSinceAskAgain = 0;
        unknownSinceAskAgain = 0;
        queue.pending()
                .filter(document -> document.isDueToAsk(nowMillis))
                .limit(max)
                .forEach(document -> {
                    askedAgain++;
                    ask(document, nowMillis);
                });
    }

    /** A coordinator has lost its open requests: the oldest are repeated at once, the others by {@link #askAgain}. */
    void askCoordinatorAgain(int coordinator) {
        queue.pending()
                .filter(document -> document.awaits(coordinator))
                .limit(rules.bounds().askAgainMax())
                .forEach(document -> document.resendTo(coordinator, outbox));
    }

    // ---- deciding

    /** Sends the next requests, and decides when all are answered. */
    void advance(PendingDocument document) {
        if (document.allPartitionsAnswered() && document.isJudged) {
            returned -= document.returned;
            document.askNext(rules.verifiedMax(), outbox);
            returned += document.returned; // Each candidate once from now on.
        }
        if (document.isAnswered() && !awaitsEarlierVersion(document)) {
            decide(document);
        } else if (!document.nearest.isEmpty()) {
            settleAsDuplicate(document);
        }
    }

    /** Goes on with a document whose earlier version is decided; false if there is none. */
    boolean advanceNextVersion() {
        DocumentRef next = nextVersions.poll();
        if (next == null) {
            return false;
        }
        PendingDocument document = queue.pending(next);
        if (document != null) {
            advance(document);
        }
        return true;
    }

    /**
     * With its first match a document is a duplicate, and no other need wait for it. So of thousands of copies in
     * flight all go on as soon as the first one is an original. Where versions are replaced, it may still be unique in
     * place of an earlier version.
     */
    private void settleAsDuplicate(PendingDocument document) {
        if (document.isCertainDuplicate || replacesVersions) {
            return;
        }
        document.isCertainDuplicate = true;
        recentDuplicates.add(document.ref(), document.nearest.get(0).ref());
        stopBeingCandidate(document);
        answerWaiters(document, false);
    }

    /** No other document need be compared with it from now on. */
    private void stopBeingCandidate(PendingDocument document) {
        originals.sketches.remove(document.ref().sequence());
        originals.removeFromBuckets(document.ref(), document.document.keys());
    }

    private void decide(PendingDocument document) {
        DocumentRef ref = document.ref();
        List<Entry> versions = replacesVersions ? originals.withId(document.document.id()) : List.of();
        boolean replaces = !versions.isEmpty() && replaceEarlier(versions, ref);
        letNextVersionGoOn(document);
        Decision decision = replaces ? Decision.UNIQUE : byBestMatch(document);
        // After a restart a later version from another topic can be decided first.
        boolean isReplaced = !versions.isEmpty()
                && versions.stream()
                        .anyMatch(version -> version.ref().isLaterThan(ref) && originals.isRemembered(version));
        boolean original =
                decision instanceof Decision.Unique && !originals.hasTombstone(ref, document.origin) && !isReplaced;
        queue.decide(ref, decision, original);
        decidedSinceAskAgain++;
        asked.note(document.asked);
        compared.note(document.compared);
        returned -= document.returned;
        noteDecided(ref, decision);
        if (original) {
            keep(document);
        } else if (!document.isCertainDuplicate) {
            stopBeingCandidate(document);
        }
        answerWaiters(document, original);
    }

    private void keep(PendingDocument document) {
        originals.add(document.ref(), new Original(document.document, document.origin));
        if (!document.waiters.isEmpty()) {
            originals.noteRepeat(document.ref(), document.origin);
        }
    }

    private void answerWaiters(PendingDocument document, boolean isOriginal) {
        if (document.waiters.isEmpty()) {
            return;
        }
        DocumentRef repeated = recentDuplicates.originalOf(document.ref());
        document.waiters.forEach(waiter -> waiter.session()
                .closeWait(isOriginal ? document.neighbour(waiter.similarity(), false) : null, repeated));
        document.waiters.clear();
    }

    private static Decision byBestMatch(PendingDocument document) {
        if (document.nearest.isEmpty()) {
            return new Decision.Unique(document.bounds(), document.nearestBelow);
        }
        Neighbour best = document.nearest.get(0);
        return new Decision.Duplicate(best.ref(), best.id(), best.provenance(), best.similarity());
    }

    // ---- versions

    private boolean awaitsEarlierVersion(PendingDocument document) {
        NavigableSet<DocumentRef> versions = replacesVersions ? pendingById.get(document.document.id()) : null;
        return versions != null && versions.lower(document.ref()) != null;
    }

    /** Removes the originals of which a document is a new version; returns whether there were any. */
    private boolean replaceEarlier(List<Entry> versions, DocumentRef document) {
        List<Entry> earlier = versions.stream()
                .filter(version -> document.isLaterThan(version.ref()))
                .toList();
        boolean replaces = earlier.stream().anyMatch(originals::isRemembered);
        earlier.forEach(originals::remove);
        return replaces;
    }

    private void letNextVersionGoOn(PendingDocument document) {
        String id = document.document.id();
        NavigableSet<DocumentRef> versions = replacesVersions ? pendingById.get(id) : null;
        if (versions == null) {
            return;
        }
        versions.remove(document.ref());
        if (versions.isEmpty()) {
            pendingById.remove(id);
        } else {
            nextVersions.add(versions.first());
        }
    }

    // ---- recent duplicates

    /**
     * The originals of the last {@value #DUPLICATES_MAX} duplicates of a coordinator: of thousands of copies in flight
     * most do not find the original among their candidates.
     */
    static final class RecentDuplicates {
        private static final int DUPLICATES_MAX = 1 << 15;

        /** The oldest first. */
        private final Map<DocumentRef, DocumentRef> originalByDuplicate = new LinkedHashMap<>();

        void add(DocumentRef duplicate, DocumentRef original) {
            originalByDuplicate.put(duplicate, original);
            if (originalByDuplicate.size() > DUPLICATES_MAX) {
                Iterator<DocumentRef> oldest = originalByDuplicate.keySet().iterator();
                oldest.next();
                oldest.remove();
            }
        }

        /** The original that a document repeats; null if it is no duplicate, or one of long ago. */
        @Nullable
        DocumentRef originalOf(DocumentRef document) {
            return originalByDuplicate.get(document);
        }
    }
}
