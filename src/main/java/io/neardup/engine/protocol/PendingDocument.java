package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Message.Dismissal;
import io.neardup.engine.protocol.Message.Verified;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A document on its way to a decision: what it asked, what was answered, and who waits for it. Everything here but the
 * arrival order and the document can be rebuilt by asking again.
 */
final class PendingDocument {
    /** No ref, packed. */
    private static final long NOBODY = -1;

    private final ArrivalOrder order;
    private final SignedDocument document;
    private final Origin origin;
    private final BandAnswers bandAnswers;
    private final AskedCandidates asked = new AskedCandidates();
    // Most documents have no candidates: their sets are never made.
    private Set<DocumentRef> adopted = Set.of();
    private final Waiters waiters = new Waiters();
    private boolean inCrowd;
    /** Whom candidates yielded to or repeat. */
    private Set<DocumentRef> heardOf = Set.of();

    private long askedAtOnce = NOBODY;
    private Set<Bound> bounds = Set.of();
    private @Nullable ArrivalOrder yieldedTo;
    private boolean isCertainDuplicate;
    private long nextAskMillis;
    private boolean askedOnce;
    private long notedCandidateBytes;

    PendingDocument(ArrivalOrder order, SignedDocument document, Origin origin, List<Partitions.Share> shares) {
        this.order = order;
        this.document = document;
        this.origin = origin;
        this.bandAnswers = new BandAnswers(shares);
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

    /** Its band keys, by the index partition that owns them. */
    List<Partitions.Share> shares() {
        return bandAnswers.shares();
    }

    boolean awaits(int indexPartition) {
        return bandAnswers.awaits(indexPartition);
    }

    /** Takes the answer of an index partition; one that answered already changes nothing. True for the last one. */
    boolean addFound(int indexPartition, Found inBuckets) {
        if (!bandAnswers.add(indexPartition, inBuckets)) {
            return false;
        }
        if (inBuckets.leftOut() > 0) {
            leaveOut(Bound.CANDIDATES);
        }
        if (inBuckets.fullBuckets() > 0) {
            note(Bound.BUCKET);
        }
        return bandAnswers.areAll();
    }

    boolean allBandsAnswered() {
        return bandAnswers.areAll();
    }

    /**
     * Notes that there are so many candidates that those who belong together need not have been named to each other.
     */
    void noteCrowd() {
        inCrowd = true;
    }

    /** Hears of one that a candidate yielded to or repeats. */
    void hearOf(DocumentRef other) {
        if (!asked.has(other.packed())) {
            heardOf = heardOf.isEmpty() ? new LinkedHashSet<>() : heardOf;
            heardOf.add(other);
        }
    }

    /**
     * In a crowd, whom a match repeats is a likely match, too: it is asked about at once, whatever else is open. One at
     * a time, as each question carries the document.
     */
    DocumentRefs askHeardOfAtOnce() {
        if (!inCrowd || heardOf.isEmpty() || asked.isOpen(askedAtOnce)) {
            return DocumentRefs.NONE;
        }
        DocumentRef other = heardOf.iterator().next();
        heardOf.remove(other);
        askedAtOnce = other.packed();
        if (asked.has(askedAtOnce)) {
            return DocumentRefs.NONE;
        }
        asked.addAgain(askedAtOnce);
        return DocumentRefs.of(other);
    }

    /** In a crowd those that it heard of become candidates. To be called where no candidate is a match. */
    void adoptHeardOf() {
        if (inCrowd) {
            heardOf.stream().filter(other -> !asked.has(other.packed())).forEach(this::adopt);
            heardOf = Set.of();
        }
    }

    /** Candidates were left out because of a bound: that is a crowd. */
    void leaveOut(Bound bound) {
        note(bound);
        noteCrowd();
    }

    private void note(Bound bound) {
        bounds = bounds.isEmpty() ? EnumSet.noneOf(Bound.class) : bounds;
        bounds.add(bound);
    }

    /** Why candidates were, or may have been, left out. */
    Set<Bound> bounds() {
        return bounds;
    }

    /** Makes a document a candidate that others tell of: an older one that asks, or whom a candidate yielded to. */
    private void adopt(DocumentRef other) {
        adopted = adopted.isEmpty() ? new LinkedHashSet<>() : adopted;
        adopted.add(other);
    }

    /** Asks about the adopted ones: together, once no answer is missing, as each question carries the document. */
    void askAdopted(DocumentRefsBuilder into) {
        if (adopted.isEmpty() || (!bandAnswers.hasFound() && !asked.areAllJudged())) {
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

    /** Asks about those again that were put off. */
    DocumentRefs askPutOff() {
        return asked.askPutOff();
    }

    /**
     * Asks about those that the index partitions named: the first that each of them named, then the second of each.
     *
     * @param max how many at the most
     * @return how many more there are, which are left out
     */
    int askFound(int max, DocumentRefsBuilder into) {
        if (!bandAnswers.hasFound()) {
            return 0;
        }
        int before = asked.size();
        int leftOut = 0;
        DocumentRefs found = bandAnswers.takeFoundInTurns();
        asked.reserve(found.size());
        for (int i = 0; i < found.size(); i++) {
            long ref = found.packed(i);
            if (asked.size() - before >= max) {
                leftOut += asked.addLeftOut(ref) ? 1 : 0;
            } else if (asked.add(ref)) {
                into.add(ref);
            }
        }
        return leftOut;
    }

    /** By how many bytes of heap its candidates have grown since the last call, about; negative where they shrank. */
    long candidateBytesGrown() {
        long now = asked.bytes() + bandAnswers.bytes();
        long grown = now - notedCandidateBytes;
        notedCandidateBytes = now;
        return grown;
    }

    /** How many bytes of heap its candidates took at the last call of {@link #candidateBytesGrown}. */
    long candidateBytes() {
        return notedCandidateBytes;
    }

    /** How many candidates were asked about, without those left out. */
    int candidates() {
        return asked.size();
    }

    int compared() {
        return asked.compared();
    }

    /** Takes an answer; one that was not asked for or came before changes nothing. */
    void addVerified(Verified verified) {
        // One that came later waits for this one, and is an original before it only by a crash, a loss, or as this one
        // was certain to be a duplicate by then.
        asked.judge(verified, verified.candidate().isLaterThan(ref()));
    }

    /** Takes the answer that some are not compared. */
    void addDismissal(Dismissal dismissal) {
        asked.dismissDuplicates(dismissal.duplicates());
        asked.dismissNoMatch(dismissal.noMatch());
        asked.dismissLeftOut(dismissal.leftOut());
        asked.putOff(dismissal.later());
        dismissal.instead().forEach(this::hearOf);
        if (!dismissal.leftOut().isEmpty()) {
            leaveOut(Bound.RANK);
        }
        if (!dismissal.later().isEmpty()) {
            noteCrowd();
        }
    }

    boolean allCandidatesJudged() {
        return asked.areAllJudged();
    }

    /** The candidates that were asked about and are not answered yet. */
    DocumentRefs unverified() {
        return asked.unverified();
    }

    /** The most similar original at or above the threshold, of equal ones the first by ref. */
    Optional<Verified> bestMatch(double threshold) {
        return asked.bestMatch(threshold);
    }

    /**
     * Gives way to an older one that asks. It asks that one again that was a duplicate: that may be unique after a
     * crash, where its original is gone.
     */
    void yieldTo(ArrivalOrder older) {
        long ref = older.ref().packed();
        if (!asked.has(ref) || asked.isReferred(ref)) {
            adopt(older.ref());
        }
        yieldedTo = yieldedTo == null || older.isOlderThan(yieldedTo) ? older : yieldedTo;
    }

    /** The oldest that it yielded to, null if to none. */
    @Nullable
    DocumentRef yieldedTo() {
        return yieldedTo == null ? null : yieldedTo.ref();
    }

    /** Who waits for the decision. */
    Waiters waiters() {
        return waiters;
    }

    /** Notes that it is a duplicate, of whichever original. */
    void noteCertainDuplicate() {
        isCertainDuplicate = true;
    }

    /** Whether only the most similar of its originals is still to be found. */
    boolean isCertainDuplicate() {
        return isCertainDuplicate;
    }

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
