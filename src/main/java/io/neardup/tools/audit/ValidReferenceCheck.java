package io.neardup.tools.audit;

import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.SimilarityJudge;
import io.neardup.record.Verdict.Position;
import io.neardup.tools.audit.PromiseReport.Findings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Promise 2: every duplicate names a document that is unique, is as similar to it as it says, and at or above the
 * threshold. Looks at the duplicates of a share of the originals, chosen by their ids. Where there are no texts it
 * takes the word of the duplicate for the similarity.
 */
final class ValidReferenceCheck {
    /** By the judge's own arithmetic it is exact; a header has all digits. */
    private static final double TOLERANCE = 1e-9;

    private static final long ENTRY_BYTES = 150;
    private static final long STRING_BYTES = 56;

    private final AuditedTopics topics;
    private final SimilarityJudge judge;
    private final double threshold;
    private final SampleShare share;
    /** By hashes of their ids; of those without texts an empty list. */
    private final Map<Long, List<Evidence>> originals = new HashMap<>();

    private final Map<Long, List<Claim>> open = new HashMap<>();
    private final Findings findings = new Findings();
    private long judged;
    /** Duplicates whose original is deleted, or says no id. */
    private long notJudged;
    /** Duplicates that do not fit what a compacted topic has left of their original. */
    private long notKnown;
    /** Duplicates whose original was not to be seen yet. */
    private long notYet;

    /** Whether each break may be by another version of an original, which is deleted. */
    private boolean isExcused = true;

    private long ofUnreadSeeds;
    private long judgedByOthers;

    /**
     * What a duplicate says.
     *
     * @param place of its record
     * @param original what it names: an id, or an id and a place
     * @param similarity NaN where it tells none
     * @param evidence null where its text is not on the topic
     * @param settled whether all that has left before it was read too
     */
    record Claim(
            String place,
            String original,
            double similarity,
            @Nullable Evidence evidence,
            boolean settled) {}

    ValidReferenceCheck(AuditedTopics topics, SimilarityJudge judge, SampleShare share) {
        this.topics = topics;
        this.judge = judge;
        this.threshold = topics.config().threshold();
        this.share = share;
    }

    /** A document that is unique, which the share takes; its evidence is null where there is no text. */
    void original(long nameHash, @Nullable Evidence evidence) {
        if (evidence != null || !originals.containsKey(nameHash)) {
            share.keep(bytes(evidence));
        }
        List<Evidence> same = originals.computeIfAbsent(nameHash, first -> new ArrayList<>(evidence == null ? 0 : 1));
        if (evidence != null) {
            same.add(evidence);
        }
        List<Claim> claims = open.remove(nameHash);
        if (claims != null) {
            claims.forEach(claim -> {
                share.keep(-bytes(claim));
                claim(nameHash, claim);
            });
        }
        shrink();
    }

    /**
     * The similarity that a duplicate without a text says.
     *
     * @param byOthers whether it was judged by other settings: then it does not count
     */
    void checkSaid(String place, double similarity, boolean byOthers) {
        if (byOthers) {
            judgedByOthers++;
        } else if (!(similarity >= threshold - TOLERANCE)) {
            isExcused = false;
            findings.add(
                    "below threshold",
                    () -> place + ": expected a similarity of at least " + threshold + ", found " + similarity);
        }
    }

    void noteOfUnreadSeed() {
        // Each pass meets them all.
        ofUnreadSeeds += share.isFirstPass() ? 1 : 0;
    }

    /** A duplicate of an original that the share takes. */
    void claim(long nameHash, Claim claim) {
        List<Evidence> named = originals.get(nameHash);
        if (named != null && (claim.evidence == null || named.stream().anyMatch(one -> holds(claim, one)))) {
            judged++;
            return;
        }
        open.computeIfAbsent(nameHash, id -> new ArrayList<>(1)).add(claim);
        share.keep(bytes(claim));
        shrink();
    }

    private boolean holds(Claim claim, Evidence original) {
        double similarity = similarity(claim, original);
        return similarity >= threshold && Math.abs(similarity - claim.similarity) <= TOLERANCE;
    }

    private double similarity(Claim claim, Evidence original) {
        // One without is settled by any original.
        return judge.similarity(Objects.requireNonNull(claim.evidence), original)
                .value();
    }

    private void shrink() {
        while (share.isOverfull()) {
            originals.keySet().removeIf(id -> !share.takes(id));
            open.keySet().removeIf(id -> !share.takes(id));
            long kept = 0;
            for (List<Evidence> same : originals.values()) {
                kept += same.isEmpty()
                        ? ENTRY_BYTES
                        : same.stream().mapToLong(ValidReferenceCheck::bytes).sum();
            }
            for (List<Claim> claims : open.values()) {
                kept += claims.stream().mapToLong(ValidReferenceCheck::bytes).sum();
            }
            share.set(kept);
        }
    }

    private static long bytes(Claim claim) {
        return 2 * STRING_BYTES + claim.place.length() + claim.original.length() + bytes(claim.evidence);
    }

    private static long bytes(@Nullable Evidence evidence) {
        return evidence == null ? ENTRY_BYTES : ENTRY_BYTES + evidence.bytes().length;
    }

    /**
     * All was read: what has not been found is not there. Nothing is kept any more.
     *
     * @param mayBeDeleted whether originals may have left that are not there any more
     * @param notLeft hashes of the names of documents that have come in and not left yet: a coordinator decides on one,
     *     and others may name it, before its turn to leave has come
     */
    void endPass(boolean mayBeDeleted, Set<Long> notLeft) {
        boolean areReplaced = topics.compacted().contains(topics.config().uniqueTopic());
        open.forEach((id, claims) -> claims.forEach(claim -> {
            List<Evidence> named = originals.getOrDefault(id, List.of());
            if (!claim.settled || notLeft.contains(id)) {
                notYet++;
            } else if (named.isEmpty() && (mayBeDeleted || isPlace(claim.original))) {
                notJudged++;
            } else if (areReplaced) {
                notKnown++;
            } else {
                judged++;
                report(claim, named);
                // Of an id that came again the version that is meant may be gone.
                isExcused &= mayBeDeleted && !named.isEmpty() && claim.similarity >= threshold - TOLERANCE;
            }
        }));
        open.clear();
        originals.clear();
    }

    /** An id that is the place of an input record: nothing on {@code unique} says it, and verdicts do. */
    private boolean isPlace(String id) {
        return !topics.ofVerdicts()
                && Position.of(id)
                        .filter(position -> topics.isInput(position.topic()))
                        .isPresent();
    }

    private void report(Claim claim, List<Evidence> named) {
        if (named.isEmpty()) {
            findings.add("no original", () -> claim.place + " names " + claim.original + ", which is not unique");
            return;
        }
        double most = named.stream()
                .mapToDouble(original -> similarity(claim, original))
                .max()
                .orElse(0);
        String found = claim.place + " names " + claim.original + ": expected a similarity of at least " + threshold
                + ", as it says, found " + most + " by their texts and " + claim.similarity + " said";
        findings.add(most >= threshold ? "misreported" : "below threshold", () -> found);
    }

    PromiseReport report(String promise) {
        share.note(findings, "originals");
        findings.note(notJudged, "duplicates name a document without an id, or one that may be deleted");
        findings.note(
                notKnown,
                "duplicates do not match the document that they name: they are wrong, or the compacted unique topic"
                        + " lost that version of it");
        findings.note(notYet, "duplicates name a document that has not left yet");
        findings.note(ofUnreadSeeds, "duplicates name a document of a seed that is gone, or has no verdicts");
        findings.note(judgedByOthers, "duplicates were judged by other settings: their similarity is not checked");
        findings.note(
                !topics.ofVerdicts() && topics.hasDuplicatesWithoutText(),
                "texts are not compared, as duplicates are verdicts");
        return findings.report(promise, judged, "duplicates")
                .knownIf(notKnown == 0)
                .unlessExcused(isExcused, "records of unique were deleted, perhaps the version that a duplicate names");
    }
}
