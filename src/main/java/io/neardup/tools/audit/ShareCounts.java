package io.neardup.tools.audit;

import io.neardup.record.Verdict.Outcome;
import java.util.EnumMap;
import java.util.Map;

/** Counts pairs. */
final class ShareCounts {
    private final Map<Agreement, Long> byAgreement = new EnumMap<>(Agreement.class);
    private long duplicatesInA;
    private long duplicatesInB;

    void add(JudgedPair pair) {
        byAgreement.merge(pair.agreement(), 1L, Long::sum);
        duplicatesInA += pair.a().outcome() == Outcome.DUPLICATE ? 1 : 0;
        duplicatesInB += pair.b().outcome() == Outcome.DUPLICATE ? 1 : 0;
    }

    void add(ShareCounts other) {
        other.byAgreement.forEach((agreement, count) -> byAgreement.merge(agreement, count, Long::sum));
        duplicatesInA += other.duplicatesInA;
        duplicatesInB += other.duplicatesInB;
    }

    Shares shares() {
        return new Shares(byAgreement, duplicatesInA, duplicatesInB);
    }
}
