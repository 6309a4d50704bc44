package io.neardup.analysis;

import io.neardup.lsh.SCurve;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Settings for documents like those of a sample, and what they rest on.
 *
 * @param documents of the sample that were looked at
 * @param pairs unrelated ones whose similarity was measured
 * @param related pairs that were set aside
 * @param fits of all shingles that were tried, in the order of {@link #SHINGLES}; never empty
 * @param proposal one of them
 */
public record Tuning(int documents, int pairs, int related, List<ShingleFit> fits, ShingleFit proposal) {
    /** The shingles that are tried, beside the one of the settings. */
    public static final List<String> SHINGLES =
            List.of("char:5", "char:7", "char:9", "char:12", "word:1", "word:2", "word:3", "word:1..3", "stopword:3");

    /** Characters of text that are held at once; their shingle hashes take eight times as many bytes. */
    private static final int CHARACTERS_MAX = 1 << 25;

    /** Measured beside the others, but not proposed: texts of the same words in another order are equal to it. */
    private static final String WITHOUT_ORDER = "word:1";

    private static final Comparator<ShingleFit> BY_COST_OF_EDITS =
            Comparator.comparingInt(ShingleFit::charactersBroken).thenComparingDouble(ShingleFit::falseCandidates);

    public Tuning {
        fits = List.copyOf(fits);
    }

    /**
     * Measures and proposes.
     *
     * @param texts canonical; of very long ones only the first are taken
     * @param pairsMax random pairs that are measured, at least 1
     * @return empty if there are no two unrelated documents among the texts
     * @throws IllegalArgumentException if no banding within the hashes reaches the recall
     */
    public static Optional<Tuning> of(
            List<String> texts, int pairsMax, long seed, TuningTargets targets, AnalysisProgress progress) {
        List<String> documents = within(CHARACTERS_MAX, texts);
        progress.update("comparing random pairs");
        UnrelatedPairs pairs = UnrelatedPairs.of(documents, pairsMax, seed);
        if (pairs.size() == 0) {
            return Optional.empty();
        }
        List<ShingleFit> fits = new ArrayList<>();
        for (String shingle : shingles(targets)) {
            progress.update("comparing random pairs by " + shingle);
            fits.add(ShingleFit.of(shingle, pairs.similarities(targets.shingler(shingle)), targets));
        }
        return Optional.of(new Tuning(documents.size(), pairs.size(), pairs.related(), fits, proposal(fits)));
    }

    /**
     * Of those that tell unrelated pairs apart the one that edits cost least; if none does, that of the fewest false
     * candidates.
     */
    static ShingleFit proposal(List<ShingleFit> fits) {
        List<ShingleFit> ordered = fits.stream()
                .filter(fit -> fits.size() == 1 || !fit.shingle().equals(WITHOUT_ORDER))
                .toList();
        return ordered.stream()
                .filter(ShingleFit::isTellingApart)
                .min(BY_COST_OF_EDITS)
                .orElseGet(() -> ordered.stream()
                        .min(Comparator.comparingDouble(ShingleFit::falseCandidates))
                        .orElseThrow());
    }

    /** Those that can reach the recall; that of the settings always, so that what is wrong is said. */
    private static List<String> shingles(TuningTargets targets) {
        Set<String> shingles = new LinkedHashSet<>(SHINGLES);
        shingles.removeIf(shingle -> !shingle.equals(targets.shingle()) && !isReachable(shingle, targets));
        shingles.add(targets.shingle());
        return List.copyOf(shingles);
    }

    private static boolean isReachable(String shingle, TuningTargets targets) {
        double most = new SCurve(targets.hashesMax(), 1).probability(targets.thresholdOf(shingle));
        return most >= targets.recall();
    }

    /** The first texts of so many characters together, but two at the least. */
    static List<String> within(int charactersMax, List<String> texts) {
        long characters = 0;
        int count = 0;
        while (count < texts.size() && characters + texts.get(count).length() <= charactersMax) {
            characters += texts.get(count).length();
            count++;
        }
        return texts.subList(0, Math.max(count, Math.min(2, texts.size())));
    }
}
