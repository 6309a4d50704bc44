package io.neardup.engine.protocol;

import io.neardup.engine.protocol.CoordinatorState.Entry;
import io.neardup.engine.protocol.Message.Verified;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a coordinator decides a pending document: all index partitions have answered, all candidates are judged; then it
 * is unique, or a duplicate of the most similar original, and who waits for it is told.
 *
 * <p>Where versions are replaced, a document waits for earlier ones of its id, and takes the place of their original.
 */
final class Decisions {
    private final int coordinator;
    private final CoordinatorRules rules;
    private final Originals originals;
    private final ReleaseQueue<?> queue;
    private final Forgetting forgetting;
    private final VerificationClient questions;
    private final CoordinatorMail mail;
    private final RecentDuplicates recentDuplicates = new RecentDuplicates();

    /** By id, what is pending, where versions are replaced. */
    private final SequencesByKey<String> pendingById = new SequencesByKey<>();

    /** Pending documents to go on with: they waited for an earlier one of their id, and that is decided now. */
    private final Deque<DocumentRef> nextVersions = new ArrayDeque<>();

    /** The pending documents that are not compared. */
    private final Set<DocumentRef> originalsAnyhow = new HashSet<>();

    private final Tally candidatesAsked = new Tally();
    private final Tally candidatesCompared = new Tally();
    private long candidatesDropped;
    private final CandidateHeap candidateHeap = new CandidateHeap();

    Decisions(
            int coordinator,
            CoordinatorRules rules,
            Originals originals,
            ReleaseQueue<?> queue,
            Forgetting forgetting,
            VerificationClient questions,
            CoordinatorMail mail) {
        this.coordinator = coordinator;
        this.rules = rules;
        this.originals = originals;
        this.queue = queue;
        this.forgetting = forgetting;
        this.questions = questions;
        this.mail = mail;
    }

    /** How many candidates were left out since the start because a document had too many. */
    long candidatesDropped() {
        return candidatesDropped;
    }

    /** Heap that the candidates of pending documents take, in bytes, about, with those that are still to be named. */
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

    /** A document is pending from now on. */
    void register(PendingDocument document) {
        candidateHeap.await();
        if (replacesVersions()) {
            pendingById.add(document.document().id(), document.ref().sequence());
        }
    }

    /** All index partitions have named candidates of a document, and it has asked about them. */
    void noteNamed(PendingDocument document) {
        candidateHeap.noteNamed(document.candidateBytes());
    }

    /** A pending document becomes an original, whatever it resembles. */
    void beOriginal(DocumentRef ref) {
        originalsAnyhow.add(ref);
    }

    /** Notes what an earlier life decided, for those that ask. */
    void recall(DocumentRef ref, Decision decision) {
        if (decision instanceof Decision.Duplicate duplicate) {
            recentDuplicates.add(ref, duplicate.original());
        }
    }

    /** Goes on with a document after an answer. */
    void advance(PendingDocument document) {
        candidateHeap.grow(document.candidateBytesGrown());
        if (!document.allBandsAnswered()) {
            return;
        }
        if (!originalsAnyhow.contains(document.ref())) {
            seekOriginal(document);
        }
        candidateHeap.grow(document.candidateBytesGrown());
        if (document.allCandidatesJudged() && !awaitsEarlierVersion(document)) {
            decide(document);
        }
    }

    private void seekOriginal(PendingDocument document) {
        questions.verify(document, newCandidates(document));
        Optional<Verified> match = document.bestMatch(rules.threshold());
        if (match.isEmpty() && document.allCandidatesJudged()) {
            document.adoptHeardOf();
            DocumentRefs told = newCandidates(document);
            questions.verify(document, told.isEmpty() ? document.askPutOff() : told);
        } else if (match.isEmpty()) {
            questions.verify(document, document.askHeardOfAtOnce());
        } else if (!document.allCandidatesJudged()) {
            beDuplicate(document, match.get());
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

    private DocumentRefs newCandidates(PendingDocument document) {
        DocumentRefsBuilder candidates = new DocumentRefsBuilder();
        document.askAdopted(candidates);
        int leftOut = document.askFound(rules.candidates().askedMax(), candidates);
        if (leftOut > 0) {
            candidatesDropped += leftOut;
            document.leaveOut(Bound.CANDIDATES);
        }
        if (document.candidates() >= rules.candidates().crowdMin()) {
            document.noteCrowd();
        }
        return candidates.take();
    }

    /**
     * With its first match a document is a duplicate, though a more similar original may be found: nobody need wait for
     * it. So among thousands of copies in flight at once, all go on as soon as their first is an original. Where
     * versions are replaced, it may still be unique in place of an earlier one.
     */
    private void beDuplicate(PendingDocument document, Verified match) {
        if (document.isCertainDuplicate() || replacesVersions()) {
            return;
        }
        DocumentRef ref = document.ref();
        document.noteCertainDuplicate();
        recentDuplicates.add(ref, match.candidate());
        queue.forgetSketch(ref);
        leaveBuckets(document);
        answerWaiters(document, null);
    }

    private void leaveBuckets(PendingDocument document) {
        mail.remove(document.ref(), document.shares());
    }

    private void decide(PendingDocument document) {
        boolean replaces = replacesVersions() && replaceEarlierVersions(document);
        letNextVersionGoOn(document);
        Decision decision = replaces ? Decision.UNIQUE : byBestMatch(document);
        DocumentRef ref = document.ref();
        candidatesAsked.note(document.candidates());
        candidatesCompared.note(document.compared());
        boolean original =
                decision instanceof Decision.Unique && !forgetting.isTakenBack(document) && !isReplaced(document);
        queue.decide(ref, decision, original);
        questions.noteDecided();
        originalsAnyhow.remove(ref);
        candidateHeap.grow(-document.candidateBytes());
        recall(ref, decision);
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
        if (!document.waiters().isEmpty()) {
            originals.repeat(document.ref(), original);
        }
    }

    private void answerWaiters(PendingDocument document, @Nullable String originalId) {
        DocumentRef ref = document.ref();
        DocumentRef repeated = originalOf(ref);
        document.waiters()
                .release((waiting, waiter) -> mail.toCoordinator(
                        waiting.coordinator(),
                        new Verified(waiting, waiter.epoch(), ref, waiter.similarity(), originalId, repeated)));
    }

    private Decision byBestMatch(PendingDocument document) {
        return document.bestMatch(rules.threshold())
                .<Decision>map(best -> new Decision.Duplicate(
                        best.candidate(), Objects.requireNonNull(best.originalId()), best.similarity()))
                .orElseGet(() -> new Decision.Unique(document.bounds()));
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

    /** Forgets the originals that a document is a new version of; returns whether there are any. */
    private boolean replaceEarlierVersions(PendingDocument document) {
        List<Entry> earlier =
                originals.ofIdBefore(document.document().id(), document.ref().sequence());
        boolean replaces = originals.hasRemembered(earlier);
        earlier.forEach(forgetting::forget);
        return replaces;
    }

    private void letNextVersionGoOn(PendingDocument document) {
        String id = document.document().id();
        long sequence = document.ref().sequence();
        pendingById.remove(id, sequence);
        pendingById.after(id, sequence).ifPresent(next -> nextVersions.add(new DocumentRef(coordinator, next)));
    }

    /** After a restart a later version from another topic can be first. */
    private boolean isReplaced(PendingDocument document) {
        return replacesVersions()
                && originals.hasOfIdAfter(
                        document.document().id(), document.ref().sequence());
    }
}
