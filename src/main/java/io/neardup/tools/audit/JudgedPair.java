package io.neardup.tools.audit;

import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Repeated;
import java.util.Comparator;

/** The verdicts of two services on one record. */
public record JudgedPair(Agreement agreement, Verdict a, Verdict b) {
    /** The clearest first; of equally clear ones that of the first place. */
    static final Comparator<JudgedPair> CLEAREST = Comparator.comparingDouble(JudgedPair::clearness)
            .reversed()
            .thenComparing(example -> example.a.position().topic())
            .thenComparingInt(example -> example.a.position().partition())
            .thenComparingLong(example -> example.a.position().offset());

    /** The more similar the pair that one of them misses, or the further apart the originals, the clearer. */
    double clearness() {
        return switch (agreement) {
            case DUPLICATE_IN_A -> similarity(a);
            case DUPLICATE_IN_B -> similarity(b);
            case OTHER_ORIGINAL -> Math.abs(similarity(a) - similarity(b));
            case SAME, OTHER_OUTCOME -> 0;
        };
    }

    /** 0 for what is no duplicate. */
    static double similarity(Verdict verdict) {
        Repeated repeated = verdict.repeated();
        return repeated == null ? 0 : repeated.similarity().value();
    }
}
