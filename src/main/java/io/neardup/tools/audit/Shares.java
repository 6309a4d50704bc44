package io.neardup.tools.audit;

import java.util.Map;

/**
 * What was counted of some pairs.
 *
 * @param byAgreement pairs by how they go together; what there is none of may be missing
 * @param duplicatesInA pairs of which A calls the record a duplicate
 */
public record Shares(Map<Agreement, Long> byAgreement, long duplicatesInA, long duplicatesInB) {
    public Shares {
        byAgreement = Map.copyOf(byAgreement);
    }

    public long pairs() {
        return byAgreement.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Pairs that go together so. */
    public long of(Agreement agreement) {
        return byAgreement.getOrDefault(agreement, 0L);
    }

    /** Pairs that are not the same. */
    public long parted() {
        return pairs() - of(Agreement.SAME);
    }
}
