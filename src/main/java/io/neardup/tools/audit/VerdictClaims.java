package io.neardup.tools.audit;

import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Repeated;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Promise 2 as far as verdicts tell: a duplicate names what a verdict calls unique, at or above the threshold. Looks at
 * the duplicates of a share of the originals, chosen by their ids.
 */
final class VerdictClaims {
    private static final double TOLERANCE = 1e-9;
    private static final long ENTRY_BYTES = 64;

    private final double threshold;
    private final String settings;
    private final SampleShare share;
    private final ContentHash hash = new ContentHash(false);
    private final Set<Long> unique = new HashSet<>();
    private final Set<Long> notLeft = new HashSet<>();
    /** By the original that they name, which was not met yet. */
    private final Map<Long, List<Verdict>> open = new HashMap<>();

    private final Breaks breaks = new Breaks();
    private long judged;
    private long ofSeeds;
    private long underOthers;
    private long notYet;
    private long notJudged;

    /** @param settings by which verdicts were made that the threshold holds for */
    VerdictClaims(double threshold, String settings, long bytesMax) {
        this.threshold = threshold;
        this.settings = settings;
        this.share = new SampleShare(bytesMax, 0, 1);
    }

    void take(Verdict verdict) {
        Repeated repeated = verdict.repeated();
        if (repeated != null) {
            takeDuplicate(verdict, repeated);
        } else if (verdict.outcome() == Outcome.UNIQUE) {
            takeUnique(hash.hash(verdict.id()));
        }
        shrink();
    }

    private void takeUnique(long id) {
        if (share.takes(id) && unique.add(id)) {
            List<Verdict> claims = open.remove(id);
            int count = claims == null ? 0 : claims.size();
            judged += count;
            share.keep(ENTRY_BYTES - count * bytesOfClaim());
        }
    }

    private static long bytesOfClaim() {
        return 8 * ENTRY_BYTES;
    }

    private void takeDuplicate(Verdict verdict, Repeated repeated) {
        checkThreshold(verdict, repeated);
        long id = hash.hash(repeated.original());
        if (repeated.seed() != null) {
            ofSeeds++;
        } else if (share.takes(id) && unique.contains(id)) {
            judged++;
        } else if (share.takes(id)) {
            open.computeIfAbsent(id, claims -> new ArrayList<>(1)).add(verdict);
            share.keep(bytesOfClaim());
        }
    }

    private void checkThreshold(Verdict verdict, Repeated repeated) {
        double similarity = repeated.similarity().value();
        if (!verdict.settings().equals(settings)) {
            underOthers++;
        } else if (similarity < threshold - TOLERANCE) {
            breaks.add(
                    "below threshold",
                    () -> "the verdict on " + verdict.position() + ": expected a similarity of at least " + threshold
                            + ", found " + similarity);
        }
    }

    private void shrink() {
        while (share.isOverfull()) {
            unique.removeIf(id -> isOut(id, ENTRY_BYTES));
            open.entrySet()
                    .removeIf(entry -> isOut(entry.getKey(), entry.getValue().size() * bytesOfClaim()));
        }
    }

    private boolean isOut(long id, long bytes) {
        boolean out = !share.takes(id);
        share.keep(out ? -bytes : 0);
        return out;
    }

    /**
     * A document has come in, and there is no verdict on it yet: another coordinator may know already what it will be.
     */
    void noteNotLeft(String id) {
        notLeft.add(hash.hash(id));
    }

    /**
     * All was read: what no verdict calls unique is not.
     *
     * @param isWhole whether there is a verdict on all that was ever taken
     */
    void end(boolean isWhole) {
        open.forEach((id, claims) -> {
            if (notLeft.contains(id)) {
                notYet += claims.size();
            } else if (!isWhole) {
                notJudged += claims.size();
            } else {
                claims.forEach(this::addNoOriginal);
            }
        });
    }

    private void addNoOriginal(Verdict claim) {
        judged++;
        Repeated repeated = claim.repeated();
        breaks.add(
                "no original",
                () -> "the verdict on " + claim.position() + " names "
                        + (repeated == null ? "nothing" : repeated.original()) + ", which none calls unique");
    }

    Breaks breaks() {
        return breaks;
    }

    /** Duplicates that were looked at. */
    long judged() {
        return judged;
    }

    /** Duplicates of seeds, on which there are no verdicts. */
    long ofSeeds() {
        return ofSeeds;
    }

    /** Duplicates whose similarity was not looked at, as other settings held then. */
    long underOthers() {
        return underOthers;
    }

    /** Duplicates whose original has not left yet. */
    long notYet() {
        return notYet;
    }

    /** Duplicates whose original may have had a verdict that is not there. */
    long notJudged() {
        return notJudged;
    }

    int classes() {
        return share.classes();
    }
}
