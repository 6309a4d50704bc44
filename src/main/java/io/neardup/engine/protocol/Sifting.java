package io.neardup.engine.protocol;

import io.neardup.engine.protocol.CoordinatorCounts.Tally;
import io.neardup.engine.protocol.DocumentCoordinator.LoopbackOutbox;
import io.neardup.engine.protocol.Message.Dismissal;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Outline;
import io.neardup.engine.similarity.SimilarityJudge;
import io.neardup.engine.similarity.SketchTable;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which candidates of a request are worth verifying: by their sketches, and where many are likely by their outlines,
 * which prove what sketches only make likely.
 */
final class Sifting {
    private final CoordinatorRules rules;
    private final SimilarityJudge judge;
    private final Originals originals;
    private final ReleaseQueue<?> queue;
    private final Decisions decisions;
    private final LoopbackOutbox outbox;
    private final Outlines outlines = new Outlines();
    private final Tally sketchDifferences = new Tally();
    private long unlike;
    private long truncated;
    private long[] sequences = new long[0];
    private int[] differences = new int[0];

    Sifting(
            CoordinatorRules rules,
            SimilarityJudge judge,
            Originals originals,
            ReleaseQueue<?> queue,
            Decisions decisions,
            LoopbackOutbox outbox) {
        this.rules = rules;
        this.judge = judge;
        this.originals = originals;
        this.queue = queue;
        this.decisions = decisions;
        this.outbox = outbox;
    }

    /**
     * On how many values the sketch of each candidate differs from that of who asks: {@link SketchTable#UNKNOWN} where
     * it is not at hand, 0 for all where who asks has none.
     *
     * @param candidates of this coordinator
     * @return one each, and maybe more behind; until the next call
     */
    int[] differences(DocumentRefs candidates, BitSketch asker) {
        int count = candidates.size();
        if (differences.length < count) {
            sequences = new long[2 * count];
            differences = new int[2 * count];
        }
        Arrays.fill(differences, 0, count, asker.isNone() ? 0 : SketchTable.UNKNOWN);
        if (!asker.isNone()) {
            for (int i = 0; i < count; i++) {
                sequences[i] = DocumentRef.sequence(candidates.packed(i));
            }
            originals.sketches().differences(sequences, count, asker, differences);
            queue.sketches().differences(sequences, count, asker, differences);
        }
        return differences;
    }

    /** Sifts candidates whose sketches are at hand, and drops of the others those that are duplicates by now. */
    void sift(VerificationSession session, DocumentRefs candidates) {
        int[] ofSketches = differences(candidates, session.sketch());
        for (int i = 0; i < candidates.size(); i++) {
            if (ofSketches[i] == SketchTable.UNKNOWN) {
                siftUnknown(session, candidates.get(i));
            } else {
                sift(session, candidates.packed(i), ofSketches[i]);
            }
        }
    }

    private void siftUnknown(VerificationSession session, DocumentRef candidate) {
        DocumentRef repeated = decisions.originalOf(candidate);
        if (repeated != null) {
            session.dropDuplicate(candidate, repeated);
        } else {
            session.addToSift(candidate);
        }
    }

    /**
     * Sifts the next whose sketch is not at hand, after it was looked for in the state.
     *
     * @return the bytes of evidence that were read
     */
    long siftNext(VerificationSession session) {
        DocumentRef candidate = session.nextToSift();
        long bytes = originals.loadSketch(candidate);
        sift(session, candidate.packed(), differences(DocumentRefs.of(candidate), session.sketch())[0]);
        return bytes;
    }

    private void sift(VerificationSession session, long candidate, int ofSketch) {
        if (ofSketch != SketchTable.UNKNOWN && !session.sketch().isNone()) {
            sketchDifferences.note(ofSketch);
        }
        boolean isDropped =
                session.sift(candidate, ofSketch, rules.candidates().cut().differencesMax());
        unlike += isDropped ? 1 : 0;
    }

    /**
     * Ranks what is likely.
     *
     * @return the bytes of evidence that were read
     */
    long rank(VerificationSession session) {
        Verify request = session.request();
        if (!session.usesOutlines()) {
            session.rank(null);
            return 0;
        }
        Optional<Outline> outline = judge.outlineOfFirst(request.evidence());
        if (request.asker().coordinator() == outbox.coordinator()) {
            outline.ifPresent(own -> outlines.put(request.asker().packed(), own));
        }
        session.rank(outline.orElse(null));
        return request.evidence().bytes().length;
    }

    /** The next candidate to verify, the likeliest first; null where none is left. */
    @Nullable
    DocumentRef next(VerificationSession session) {
        while (session.hasRanked()) {
            long candidate = session.takeRanked();
            double needed = needed(session, candidate);
            if (isBelow(needed, session, candidate)) {
                boolean isForNow = needed > rules.threshold();
                unlike += isForNow ? 0 : 1;
                session.ruleOut(candidate, isForNow);
            } else if (isDeferred(session, candidate)) {
                session.defer(candidate);
            } else if (session.verified() < rules.candidates().verifiedMax()) {
                session.noteVerified();
                return DocumentRef.unpack(candidate);
            } else {
                session.truncate(candidate);
            }
        }
        for (DocumentRef next = session.takeUnranked(); next != null; next = session.takeUnranked()) {
            if (!isDeferred(session, next.packed())) {
                return next;
            }
            session.defer(next.packed());
        }
        return null;
    }

    /** Whether it would be waited for, and enough others are. */
    private boolean isDeferred(VerificationSession session, long candidate) {
        if (session.awaited() < rules.candidates().awaitedMax()) {
            return false;
        }
        PendingDocument pending = queue.pending(DocumentRef.unpack(candidate));
        return pending != null
                && !pending.isCertainDuplicate()
                && pending.order().isOlderThan(session.order())
                && !pending.hasWaiter(session.request());
    }

    /** Where none is left to verify, those that were not are answered. */
    void dismissRest(VerificationSession session) {
        if (!session.hasToVerify()) {
            session.takeDismissal().ifPresent(this::dismiss);
        }
    }

    /** A candidate that was verified is a match, and does not yield. */
    void noteMatch(VerificationSession session) {
        truncated += session.noteMatch(rules.candidates().matchesMax());
    }

    /**
     * How similar a candidate must be to matter: as the threshold says, or as the most similar original that is known
     * by now. A younger candidate that is pending must learn of the asker in any case.
     */
    double needed(VerificationSession session, long candidate) {
        if (session.best() <= rules.threshold()) {
            return rules.threshold();
        }
        PendingDocument pending = queue.pending(DocumentRef.unpack(candidate));
        return pending == null || pending.order().isOlderThan(session.order()) ? session.best() : rules.threshold();
    }

    private boolean isBelow(double similarity, VerificationSession session, long candidate) {
        if (session.differences() > rules.candidates().cut().differencesMax(similarity)) {
            return true;
        }
        Outline asker = session.outline();
        Outline known = asker == null ? null : outlines.find(candidate);
        return asker != null && known != null && asker.isBelow(similarity, known);
    }

    private void dismiss(Dismissal dismissal) {
        truncated += dismissal.truncated().size();
        outbox.toCoordinator(dismissal.asker().coordinator(), dismissal);
    }

    /** Keeps the outline of a candidate that is verified again, for the next who ask about it. */
    void keepOutline(VerificationSession session, DocumentRef candidate, Evidence evidence) {
        if (session.usesOutlines() && outlines.isWanted(candidate.packed())) {
            judge.outline(evidence).ifPresent(outline -> outlines.put(candidate.packed(), outline));
        }
    }

    /** On how many values the sketches of each candidate and its asker differ, since the start. */
    Tally sketchDifferences() {
        return sketchDifferences;
    }

    /** How many candidates were dropped by their sketches or outlines since the start. */
    long unlike() {
        return unlike;
    }

    /** How many likely candidates were truncated since the start, as others were likelier, or deferred, as matches. */
    long truncated() {
        return truncated;
    }

    /** Heap that outlines take, in bytes. */
    long outlineBytes() {
        return outlines.bytes();
    }
}
