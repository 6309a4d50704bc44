package io.neardup.tools.audit;

import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.SimilarityJudge;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Promise 2: every duplicate names a document on {@code unique}, is as similar to it as it says, and at or above the
 * threshold. Looks at the duplicates of a share of the originals, chosen by their ids.
 */
final class ValidReferenceCheck {
    /** By the judge's own arithmetic it is exact; a header has all digits. */
    private static final double TOLERANCE = 1e-9;

    private static final long ENTRY_BYTES = 150;

    private final SimilarityJudge judge;
    private final double threshold;
    private final SampleShare share;
    private final Predicate<String> isPlace;
    private final Map<Long, List<Evidence>> originals = new HashMap<>();
    private final Map<Long, List<Claim>> open = new HashMap<>();
    private final Breaks breaks = new Breaks();
    private long judged;
    private long notJudged;
    private long notYet;

    /**
     * What a duplicate says.
     *
     * @param place of its record
     * @param original the id that it names
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

    /** @param isPlace whether an id is the place of a record in an input: nothing on {@code unique} tells that */
    ValidReferenceCheck(SimilarityJudge judge, double threshold, SampleShare share, Predicate<String> isPlace) {
        this.judge = judge;
        this.threshold = threshold;
        this.share = share;
        this.isPlace = isPlace;
    }

    boolean takes(long idHash) {
        return share.takes(idHash);
    }

    /** A document on {@code unique} that the share takes. */
    void original(long idHash, Evidence evidence) {
        originals.computeIfAbsent(idHash, id -> new ArrayList<>(1)).add(evidence);
        share.keep(bytes(evidence));
        List<Claim> claims = open.remove(idHash);
        if (claims != null) {
            claims.forEach(claim -> {
                share.keep(-bytes(claim.evidence));
                claim(idHash, claim);
            });
        }
        shrink();
    }

    /** A duplicate of an original that the share takes. */
    void claim(long idHash, Claim claim) {
        for (Evidence original : originals.getOrDefault(idHash, List.of())) {
            if (holds(claim, original)) {
                judged++;
                return;
            }
        }
        open.computeIfAbsent(idHash, id -> new ArrayList<>(1)).add(claim);
        share.keep(bytes(claim.evidence));
        shrink();
    }

    private boolean holds(Claim claim, Evidence original) {
        double similarity = similarity(claim, original);
        return similarity >= threshold && Math.abs(similarity - claim.similarity) <= TOLERANCE;
    }

    /** What it says itself where the text is not at hand. */
    private double similarity(Claim claim, Evidence original) {
        return claim.evidence == null
                ? claim.similarity
                : judge.similarity(claim.evidence, original).value();
    }

    private void shrink() {
        while (share.isOverfull()) {
            originals.entrySet().removeIf(entry -> {
                boolean out = !share.takes(entry.getKey());
                entry.getValue().forEach(evidence -> share.keep(out ? -bytes(evidence) : 0));
                return out;
            });
            open.entrySet().removeIf(entry -> {
                boolean out = !share.takes(entry.getKey());
                entry.getValue().forEach(claim -> share.keep(out ? -bytes(claim.evidence) : 0));
                return out;
            });
        }
    }

    private static long bytes(@Nullable Evidence evidence) {
        return evidence == null ? ENTRY_BYTES : ENTRY_BYTES + evidence.bytes().length;
    }

    /**
     * All was read: what has not been found is not there. Nothing is kept any more.
     *
     * @param mayBeDeleted whether records were deleted from the beginning of {@code unique}
     * @param notLeft hashes of the ids of documents that have come in and not left yet: a coordinator decides on one,
     *     and others may name it, before its turn to leave has come
     */
    void end(boolean mayBeDeleted, Set<Long> notLeft) {
        open.forEach((id, claims) -> claims.forEach(claim -> {
            List<Evidence> named = originals.getOrDefault(id, List.of());
            if (!claim.settled || notLeft.contains(id)) {
                notYet++;
            } else if (named.isEmpty() && (mayBeDeleted || isPlace.test(claim.original))) {
                notJudged++;
            } else {
                judged++;
                report(claim, named);
            }
        }));
        open.clear();
        originals.clear();
    }

    private void report(Claim claim, List<Evidence> named) {
        if (named.isEmpty()) {
            breaks.add("no original", () -> claim.place + " names " + claim.original + ", which is not on unique");
            return;
        }
        double most = named.stream()
                .mapToDouble(original -> similarity(claim, original))
                .max()
                .orElse(0);
        String found = claim.place + " names " + claim.original + ": expected a similarity of at least " + threshold
                + ", as it tells, found " + most + " by their texts and " + claim.similarity + " told";
        breaks.add(most >= threshold ? "misreported" : "below threshold", () -> found);
    }

    Breaks breaks() {
        return breaks;
    }

    /** Duplicates that were looked at. */
    long judged() {
        return judged;
    }

    /** Duplicates whose original is deleted, or tells no id. */
    long notJudged() {
        return notJudged;
    }

    /** Duplicates whose original was not to be seen yet. */
    long notYet() {
        return notYet;
    }

    int classes() {
        return share.classes();
    }
}
