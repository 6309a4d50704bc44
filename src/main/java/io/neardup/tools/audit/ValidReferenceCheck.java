package io.neardup.tools.audit;

import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.SimilarityJudge;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
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

    private final SimilarityJudge judge;
    private final double threshold;
    private final SampleShare share;
    private final Pattern places;
    /** By hashes of their ids; of those without texts an empty list. */
    private final Map<Long, List<Evidence>> originals = new HashMap<>();

    private final Map<Long, List<Claim>> open = new HashMap<>();
    private final Breaks breaks = new Breaks();
    private long judged;
    private long notJudged;
    private long notYet;
    private long ofUnreadSeeds;
    private long judgedByOthers;

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

    /** @param places what ids look like that nothing on the output of unique documents says */
    ValidReferenceCheck(SimilarityJudge judge, double threshold, SampleShare share, Pattern places) {
        this.judge = judge;
        this.threshold = threshold;
        this.share = share;
        this.places = places;
    }

    boolean takes(long idHash) {
        return share.takes(idHash);
    }

    /** A document that is unique, which the share takes; its evidence is null where there is no text. */
    void original(long idHash, @Nullable Evidence evidence) {
        List<Evidence> same = originals.get(idHash);
        if (same == null || evidence != null) {
            share.keep(bytes(evidence));
        }
        if (same == null) {
            same = new ArrayList<>(evidence == null ? 0 : 1);
            originals.put(idHash, same);
        }
        if (evidence != null) {
            same.add(evidence);
        }
        List<Claim> claims = open.remove(idHash);
        if (claims != null) {
            claims.forEach(claim -> {
                share.keep(-bytes(claim));
                claim(idHash, claim);
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
            breaks.add(
                    "below threshold",
                    () -> place + ": expected a similarity of at least " + threshold + ", found " + similarity);
        }
    }

    void noteOfUnreadSeed() {
        ofUnreadSeeds++;
    }

    /** A duplicate of an original that the share takes. */
    void claim(long idHash, Claim claim) {
        List<Evidence> named = originals.get(idHash);
        if (named != null && (claim.evidence == null || named.stream().anyMatch(one -> holds(claim, one)))) {
            judged++;
            return;
        }
        open.computeIfAbsent(idHash, id -> new ArrayList<>(1)).add(claim);
        share.keep(bytes(claim));
        shrink();
    }

    private boolean holds(Claim claim, Evidence original) {
        double similarity = similarity(claim, original);
        return similarity >= threshold && Math.abs(similarity - claim.similarity) <= TOLERANCE;
    }

    private double similarity(Claim claim, Evidence original) {
        return claim.evidence == null
                ? claim.similarity
                : judge.similarity(claim.evidence, original).value();
    }

    private void shrink() {
        while (share.isOverfull()) {
            originals.entrySet().removeIf(entry -> {
                List<Evidence> kept = entry.getValue();
                long bytes = kept.isEmpty()
                        ? ENTRY_BYTES
                        : kept.stream().mapToLong(one -> bytes(one)).sum();
                return givesBack(entry.getKey(), bytes);
            });
            open.entrySet()
                    .removeIf(entry -> givesBack(
                            entry.getKey(),
                            entry.getValue().stream()
                                    .mapToLong(ValidReferenceCheck::bytes)
                                    .sum()));
        }
    }

    private boolean givesBack(long idHash, long bytes) {
        boolean out = !share.takes(idHash);
        share.keep(out ? -bytes : 0);
        return out;
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
     * @param notLeft hashes of the ids of documents that have come in and not left yet: a coordinator decides on one,
     *     and others may name it, before its turn to leave has come
     */
    void end(boolean mayBeDeleted, Set<Long> notLeft) {
        open.forEach((id, claims) -> claims.forEach(claim -> {
            List<Evidence> named = originals.getOrDefault(id, List.of());
            if (!claim.settled || notLeft.contains(id)) {
                notYet++;
            } else if (named.isEmpty()
                    && (mayBeDeleted || places.matcher(claim.original).matches())) {
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
            breaks.add("no original", () -> claim.place + " names " + claim.original + ", which is not unique");
            return;
        }
        double most = named.stream()
                .mapToDouble(original -> similarity(claim, original))
                .max()
                .orElse(0);
        String found = claim.place + " names " + claim.original + ": expected a similarity of at least " + threshold
                + ", as it says, found " + most + " by their texts and " + claim.similarity + " said";
        breaks.add(most >= threshold ? "misreported" : "below threshold", () -> found);
    }

    Breaks breaks() {
        return breaks;
    }

    /** Duplicates that were looked at. */
    long judged() {
        return judged;
    }

    /** Duplicates whose original is deleted, or says no id. */
    long notJudged() {
        return notJudged;
    }

    /** Duplicates whose original was not to be seen yet. */
    long notYet() {
        return notYet;
    }

    /** Duplicates of seeds that are not read. */
    long ofUnreadSeeds() {
        return ofUnreadSeeds;
    }

    /** Duplicates whose similarity does not count, as other settings held then. */
    long judgedByOthers() {
        return judgedByOthers;
    }

    int classes() {
        return share.classes();
    }
}
