package io.neardup.engine.protocol;

import io.neardup.engine.protocol.CoordinatorCounts.Tally;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.protocol.CoordinatorState.Entry;
import io.neardup.engine.protocol.DocumentCoordinator.LoopbackOutbox;
import io.neardup.engine.protocol.Message.Neighbour;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a coordinator decides a pending document: all index partitions have answered, all candidates are judged; then it
 * is unique, or a duplicate of the most similar original, and who waits for it is answered.
 *
 * <p>Where versions are replaced, a document waits for earlier ones of its id, and takes the place of their original.
 */
final class Decisions {
    private final CoordinatorRules rules;
    private final Originals originals;
    private final ReleaseQueue<?> queue;
    private final OriginalExpiry expiry;
    private final VerificationClient client;
    private final LoopbackOutbox outbox;
    private final RecentDuplicates recentDuplicates = new RecentDuplicates();

    /** By id, what is pending, where versions are replaced. */
    private final SequencesByKey<String> pendingById = new SequencesByKey<>();

    /** Pending documents to go on with: they waited for an earlier one of their id, and that is decided now. */
    private final Deque<DocumentRef> nextVersions = new ArrayDeque<>();

    private final Tally candidatesAsked = new Tally();
    private final Tally candidatesCompared = new Tally();
    private final CandidateHeap candidateHeap = new CandidateHeap();

    Decisions(
            CoordinatorRules rules,
            Originals originals,
            ReleaseQueue<?> queue,
            OriginalExpiry expiry,
            VerificationClient client,
            LoopbackOutbox outbox) {
        this.rules = rules;
        this.originals = originals;
        this.queue = queue;
        this.expiry = expiry;
        this.client = client;
        this.outbox = outbox;
    }

    /**
     * Heap that the candidates of pending documents take, in bytes, about, with those that are still to be returned.
     */
    long candidateBytes() {
        return candidateHeap.bytes();
    }

    /** The original that a document of this coordinator repeats; null where it is no duplicate, or one of long ago. */
    @Nullable
    DocumentRef originalOf(DocumentRef document) {
        return recentDuplicates.originalOf(document);
    }

    /** About how many candidates each document asked that is decided, since the start. */
    Tally candidatesAsked() {
        return candidatesAsked;
    }

    /** With how many candidates each document was compared that is decided, since the start. */
    Tally candidatesCompared() {
        return candidatesCompared;
    }

    void register(PendingDocument document) {
        candidateHeap.await();
        if (replacesVersions()) {
            pendingById.add(document.document().id(), document.ref().sequence());
        }
    }

    /** All index partitions have returned candidates of a document, and it has asked about them. */
    void noteCandidatesReturned(PendingDocument document) {
        candidateHeap.noteReturned(document.candidateBytes());
    }

    /** Notes what was decided, now or in an earlier epoch, for those that ask. */
    void noteDecided(DocumentRef ref, Decision decision) {
        if (decision instanceof Decision.Duplicate duplicate) {
            recentDuplicates.add(ref, duplicate.original());
        }
    }

    /** Asks what is to be asked next, and decides when all have answered. */
    void advance(PendingDocument document) {
        candidateHeap.grow(document.candidateBytesGrown());
        if (!document.allBandsAnswered()) {
            return;
        }
        if (document.isJudged()) {
            client.askNext(document);
            candidateHeap.grow(document.candidateBytesGrown());
            if (!document.isAnswered() && !document.nearest().isEmpty()) {
                settleAsDuplicate(document, document.nearest().get(0));
            }
        }
        if (document.isAnswered() && !awaitsEarlierVersion(document)) {
            decide(document);
        }
    }

    /** Goes on with one whose earlier version is decided; false if there is none. */
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
     * With its first match a document is a duplicate, though a more similar original may be found: nobody need wait for
     * it. So among thousands of copies in flight at once, all go on as soon as their first is an original. Where
     * versions are replaced, it may still be unique in place of an earlier one.
     */
    private void settleAsDuplicate(PendingDocument document, Neighbour match) {
        if (document.isCertainDuplicate() || replacesVersions()) {
            return;
        }
        DocumentRef ref = document.ref();
        document.noteCertainDuplicate();
        recentDuplicates.add(ref, match.ref());
        queue.forgetSketch(ref);
        leaveBuckets(document);
        answerWaiters(document, null);
    }

    private void leaveBuckets(PendingDocument document) {
        expiry.removeFromBuckets(document.ref(), document.shares());
    }

    private void decide(PendingDocument document) {
        boolean replaces = replacesVersions() && replaceEarlierVersions(document);
        letNextVersionGoOn(document);
        Decision decision = replaces ? Decision.UNIQUE : byBestMatch(document);
        DocumentRef ref = document.ref();
        candidatesAsked.note(document.asked());
        candidatesCompared.note(document.compared());
        boolean original =
                decision instanceof Decision.Unique && !expiry.hasTombstone(document) && !isReplaced(document);
        queue.decide(ref, decision, original);
        client.noteDecided();
        candidateHeap.grow(-document.candidateBytes());
        noteDecided(ref, decision);
        if (original) {
            keep(document);
        } else if (!document.isCertainDuplicate()) {
            leaveBuckets(document);
        }
        answerWaiters(document, original ? document.document().id() : null);
    }

    private void keep(PendingDocument document) {
        SignedDocument signed = document.document();
        Original original =
                new Original(signed.id(), document.origin(), signed.keys(), signed.evidence(), signed.sketch());
        originals.add(document.ref(), original);
        if (document.hasWaiters()) {
            originals.repeat(document.ref(), original);
        }
    }

    private void answerWaiters(PendingDocument document, @Nullable String originalId) {
        DocumentRef ref = document.ref();
        DocumentRef repeated = originalOf(ref);
        document.releaseWaiters(waiter -> waiter.answer().closeWait(ref, waiter.similarity(), originalId, repeated));
    }

    private static Decision byBestMatch(PendingDocument document) {
        if (document.nearest().isEmpty()) {
            return new Decision.Unique(document.bounds());
        }
        Neighbour best = document.nearest().get(0);
        return new Decision.Duplicate(best.ref(), best.id(), best.similarity());
    }

    // ---- versions

    private boolean replacesVersions() {
        return rules.versions() == Versions.REPLACE;
    }

    private boolean awaitsEarlierVersion(PendingDocument document) {
        return replacesVersions()
                && pendingById.hasBefore(
                        document.document().id(), document.ref().sequence());
    }

    /** Removes the originals that a document is a new version of; returns whether there are any. */
    private boolean replaceEarlierVersions(PendingDocument document) {
        List<Entry> earlier =
                originals.ofIdBefore(document.document().id(), document.ref().sequence());
        boolean replaces = originals.hasRemembered(earlier);
        earlier.forEach(expiry::remove);
        return replaces;
    }

    private void letNextVersionGoOn(PendingDocument document) {
        String id = document.document().id();
        long sequence = document.ref().sequence();
        pendingById.remove(id, sequence);
        pendingById
                .after(id, sequence)
                .ifPresent(next -> nextVersions.add(new DocumentRef(outbox.coordinator(), next)));
    }

    /** After a restart a later version from another topic can be first. */
    private boolean isReplaced(PendingDocument document) {
        return replacesVersions()
                && originals.hasOfIdAfter(
                        document.document().id(), document.ref().sequence());
    }

    // ---- what it keeps

    /**
     * Which of about the last {@value #DOCUMENTS_MAX} documents of a coordinator are duplicates, and what each repeats.
     * While thousands of copies are in flight their original is not among the candidates that a document may have; who
     * asks one of them is redirected to it. A document's number chooses its slot, and leaves it to the next that it
     * belongs to.
     */
    static final class RecentDuplicates {
        private static final int DOCUMENTS_MAX = 1 << 15;
        private static final int CAPACITY_MIN = 64;

        // Refs, packed, plus 1: 0 is free.
        private long[] duplicates = new long[CAPACITY_MIN];
        private long[] originals = new long[CAPACITY_MIN];

        void add(DocumentRef duplicate, DocumentRef original) {
            while (isTaken(duplicate) && duplicates.length < DOCUMENTS_MAX) {
                grow();
            }
            put(duplicate.packed() + 1, original.packed() + 1);
        }

        private boolean isTaken(DocumentRef duplicate) {
            long there = duplicates[slot(duplicate.packed() + 1)];
            return there != 0 && there != duplicate.packed() + 1;
        }

        private void grow() {
            long[] before = duplicates;
            long[] theirs = originals;
            duplicates = new long[2 * before.length];
            originals = new long[2 * before.length];
            for (int i = 0; i < before.length; i++) {
                if (before[i] != 0) {
                    put(before[i], theirs[i]);
                }
            }
        }

        private void put(long duplicate, long original) {
            int slot = slot(duplicate);
            duplicates[slot] = duplicate;
            originals[slot] = original;
        }

        private int slot(long duplicate) {
            return (int) duplicate & (duplicates.length - 1);
        }

        /** The original that a document repeats; null where it is no duplicate or one of long ago. */
        @Nullable
        DocumentRef originalOf(DocumentRef document) {
            long duplicate = document.packed() + 1;
            int slot = slot(duplicate);
            return duplicates[slot] == duplicate ? DocumentRef.unpack(originals[slot] - 1) : null;
        }
    }

    /**
     * How much heap the candidates of pending documents take, about. Those that are still to be returned count as
     * the last ones that were: in a flood of look-alikes each document gets hundreds of candidates, after many more
     * have arrived.
     */
    private static final class CandidateHeap {
        private static final double WEIGHT = 1 / 64.0;

        private long bytes;
        private int unreturned;
        private double returnedBytesMean;

        /** A document is pending, and its candidates are not returned yet. */
        void await() {
            unreturned++;
        }

        /** The candidates of such a document are returned now, and take so much. */
        void noteReturned(long returnedBytes) {
            unreturned--;
            returnedBytesMean += WEIGHT * (returnedBytes - returnedBytesMean);
        }

        /** @param grownBytes below 0 where they take less */
        void grow(long grownBytes) {
            bytes += grownBytes;
        }

        long bytes() {
            return bytes + (long) (unreturned * returnedBytesMean);
        }
    }
}
