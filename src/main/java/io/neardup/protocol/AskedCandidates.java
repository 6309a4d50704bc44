package io.neardup.protocol;

import io.neardup.protocol.Message.Verdict;
import io.neardup.sketch.Similarity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The candidates that a pending document asked about, and what was answered. */
final class AskedCandidates {
    /** In place of a verdict. */
    private static final Optional<Verdict> UNLIKE =
            Optional.of(new Verdict(new Ref(0, 0), new Ref(0, 0), Similarity.NONE, null, null));

    // Most documents have no candidates: their map is never made.
    private Map<Ref, Optional<Verdict>> verdicts = Map.of();
    private int missing;

    boolean has(Ref candidate) {
        return verdicts.containsKey(candidate);
    }

    /** Without those left out. */
    int size() {
        return verdicts.size();
    }

    void add(Ref candidate) {
        if (verdicts.isEmpty()) {
            verdicts = new LinkedHashMap<>();
        }
        if (verdicts.putIfAbsent(candidate, Optional.empty()) == null) {
            missing++;
        }
    }

    /** Takes an answer; one that was not asked for or came before changes nothing. */
    void judge(Verdict verdict) {
        if (isMissing(verdict.candidate())) {
            verdicts.put(verdict.candidate(), Optional.of(verdict));
            missing--;
        }
    }

    /** These are no match, for good. */
    void dismissUnlike(List<Ref> candidates) {
        for (Ref candidate : candidates) {
            if (isMissing(candidate)) {
                verdicts.put(candidate, UNLIKE);
                missing--;
            }
        }
    }

    /** These were not compared: who is told of one again asks again. */
    void dismissLeftOut(List<Ref> candidates) {
        for (Ref candidate : candidates) {
            if (isMissing(candidate)) {
                verdicts.remove(candidate);
                missing--;
            }
        }
    }

    private boolean isMissing(Ref candidate) {
        Optional<Verdict> known = verdicts.get(candidate);
        return known != null && known.isEmpty();
    }

    boolean areAllJudged() {
        return missing == 0;
    }

    List<Ref> withoutVerdict() {
        if (missing == 0) {
            return List.of();
        }
        List<Ref> open = new ArrayList<>(missing);
        verdicts.forEach((candidate, verdict) -> {
            if (verdict.isEmpty()) {
                open.add(candidate);
            }
        });
        return open;
    }

    /** The most similar original at or above the threshold, of equal ones the first by ref. */
    Optional<Verdict> bestMatch(double threshold) {
        if (verdicts.isEmpty()) {
            return Optional.empty();
        }
        return verdicts.values().stream()
                .flatMap(Optional::stream)
                .filter(verdict ->
                        verdict.originalId() != null && verdict.similarity().value() >= threshold)
                .max(Comparator.<Verdict>comparingDouble(
                                verdict -> verdict.similarity().value())
                        .thenComparing(Verdict::candidate, Comparator.reverseOrder()));
    }
}
