package io.neardup.tools.audit;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** The clearest examples of each way in which services part. */
final class ClearestExamples {
    private final int eachMax;
    private final Map<Agreement, PriorityQueue<JudgedPair>> byAgreement = new EnumMap<>(Agreement.class);

    /** @param eachMax how many of each are kept, 0 or more */
    ClearestExamples(int eachMax) {
        this.eachMax = eachMax;
    }

    void add(JudgedPair example) {
        if (example.agreement() == Agreement.SAME) {
            return;
        }
        // The least clear is at the head, to be put out.
        PriorityQueue<JudgedPair> kept = byAgreement.computeIfAbsent(
                example.agreement(), agreement -> new PriorityQueue<>(JudgedPair.CLEAREST.reversed()));
        kept.add(example);
        if (kept.size() > eachMax) {
            kept.remove();
        }
    }

    /** By the way in which they part, the clearest first. */
    List<JudgedPair> all() {
        List<JudgedPair> all = new ArrayList<>();
        byAgreement
                .values()
                .forEach(kept ->
                        all.addAll(kept.stream().sorted(JudgedPair.CLEAREST).toList()));
        return all;
    }
}
