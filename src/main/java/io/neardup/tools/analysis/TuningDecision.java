package io.neardup.tools.analysis;

import io.neardup.engine.lsh.BandingSolver;
import io.neardup.engine.similarity.Valley;
import io.neardup.tools.analysis.Tuner.GatheredTexts;
import io.neardup.tools.analysis.Tuning.Alternative;
import io.neardup.tools.analysis.Tuning.Boilerplate;
import io.neardup.tools.analysis.Tuning.Finding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides from pairs that were measured by all shingles where copies begin, by the shingle that shows it best, and how
 * sure that is.
 *
 * <p>Of the shingles whose valleys are nearly as deep as the deepest, that one counts which costs least. A half of the
 * documents says the same if its valley of this shingle is near, and nearly the deepest there.
 */
final class TuningDecision {
    /** So large a share of the pairs is nearly all of them. */
    private static final double NEARLY_ALL = 0.99;

    /** Pairs from here on have more in common than not. */
    private static final double ALIKE = 0.5;

    /** Pairs from here on are equal but for a word or two. */
    private static final double NEARLY_EQUAL = 0.97;

    /** Fewer unrelated pairs do not tell what the index costs. */
    private static final int UNRELATED_MIN = 100;

    /** Valleys that are no deeper are found in chance alone. */
    private static final double DEPTH_MIN = 4;

    /** So much of the deepest is nearly as deep. */
    private static final double NEARLY_DEEPEST = 0.75;

    private final List<MeasuredShingle> measured;
    private final GatheredTexts texts;
    private final TuningTargets targets;
    private final int typicalCharacters;
    /** Where copies may begin, the first choice first; empty where they do not, or nothing can be said. */
    private final List<ShingleValley> valleys;

    private final Finding finding;

    private record ShingleValley(MeasuredShingle measured, Valley valley) {}

    TuningDecision(List<MeasuredShingle> measured, GatheredTexts texts, TuningTargets targets) {
        this.measured = measured;
        this.texts = texts;
        this.targets = targets;
        this.typicalCharacters = texts.typicalCharacters();
        List<ShingleValley> deep = nearlyDeepest(MeasuredShingle::valley).stream()
                .filter(found -> found.valley.depth() >= DEPTH_MIN)
                .sorted(Comparator.comparingDouble(this::cost).thenComparingDouble(found -> -found.valley.depth()))
                .toList();
        this.finding = finding(deep);
        // Of these whatever valley their similarities show is chance.
        boolean isNoneLikely = finding == Finding.TOO_FEW || finding == Finding.ALL_ALIKE;
        this.valleys = isNoneLikely ? List.of() : deep;
    }

    private List<ShingleValley> nearlyDeepest(Function<MeasuredShingle, Optional<Valley>> valleyOf) {
        List<ShingleValley> found = new ArrayList<>();
        measured.forEach(
                shingle -> valleyOf.apply(shingle).ifPresent(valley -> found.add(new ShingleValley(shingle, valley))));
        double deepest =
                found.stream().mapToDouble(one -> one.valley.depth()).max().orElse(0);
        found.removeIf(one -> one.valley.depth() < NEARLY_DEEPEST * deepest);
        return found;
    }

    /** How many halves of the documents say the same. */
    private int halves(ShingleValley candidate) {
        int halves = 0;
        for (int half = 0; half < Valley.HALVES; half++) {
            int number = half;
            halves += nearlyDeepest(shingle -> shingle.valleyOfHalf(number)).stream()
                            .anyMatch(found ->
                                    found.measured == candidate.measured && found.valley.isNear(candidate.valley))
                    ? 1
                    : 0;
        }
        return halves;
    }

    private Finding finding(List<ShingleValley> deep) {
        SimilarityCounts counts = measuredAsConfigured().counts();
        if (texts.documents() < Tuning.DOCUMENTS_MIN) {
            return Finding.TOO_FEW;
        }
        if (counts.pairsFrom(ALIKE) >= NEARLY_ALL * counts.pairs()) {
            return Finding.ALL_ALIKE;
        }
        boolean isShort = typicalCharacters < Tuning.CHARACTERS_MIN;
        if (!deep.isEmpty()) {
            ShingleValley first = deep.get(0);
            return first.valley.isSure(halves(first)) && !isShort ? Finding.PARTED : Finding.UNSURE;
        }
        double copies = counts.pairsFrom(targets.threshold());
        if (copies == 0) {
            return Finding.NO_COPIES;
        }
        return counts.pairsFrom(NEARLY_EQUAL) >= NEARLY_ALL * copies
                ? Finding.EXACT_COPIES
                : isShort ? Finding.UNSURE : Finding.NO_VALLEY;
    }

    /** Of other findings boilerplate cannot be the reason; what all share can be one story as well. */
    boolean mayBeBoilerplate() {
        boolean isExcluded = targets.shingling().boilerplate() != null;
        return !isExcluded && (finding == Finding.PARTED || finding == Finding.UNSURE || finding == Finding.NO_VALLEY);
    }

    /**
     * What was found, and the settings of the proposal.
     *
     * @param boilerplate what holds most of what would be found together, if any
     * @throws IllegalArgumentException if no banding within the hashes reaches the recall
     */
    Tuning tuning(PairSample pairs, @Nullable Boilerplate boilerplate) {
        Finding found = boilerplate == null ? finding : Finding.BOILERPLATE;
        return new Tuning(
                texts.lines(),
                texts.rejected(),
                texts.documents(),
                pairs.anchors(),
                pairs.allPairs(),
                pairs.size(),
                typicalCharacters,
                measured,
                found,
                found == Finding.PARTED ? fit(best(), bestThreshold()) : fitAsConfigured(),
                valleys.stream()
                        .map(choice -> Alternative.of(choice.measured, choice.valley.threshold(), halves(choice)))
                        .toList(),
                boilerplate);
    }

    /** What was measured by the shingle that shows best where copies begin, else by that of the settings. */
    MeasuredShingle best() {
        return valleys.isEmpty() ? measuredAsConfigured() : valleys.get(0).measured;
    }

    /** The threshold that belongs to it. */
    double bestThreshold() {
        return valleys.isEmpty() ? targets.threshold() : valleys.get(0).valley.threshold();
    }

    private MeasuredShingle measuredAsConfigured() {
        return measured.stream()
                .filter(tried -> tried.shingle().equals(targets.shingle()))
                .findFirst()
                .orElseThrow();
    }

    private ShingleFit fitAsConfigured() {
        SimilarityCounts pairs = measuredAsConfigured().counts();
        double unrelated = pairs.pairs() - pairs.pairsFrom(targets.threshold());
        if (unrelated * measuredAsConfigured().share() < UNRELATED_MIN) {
            pairs = new SimilarityCounts();
            pairs.add(targets.unrelated(), 1);
        }
        return ShingleFit.of(targets.shingle(), targets.threshold(), pairs, texts.documents(), targets);
    }

    private ShingleFit fit(MeasuredShingle shingle, double threshold) {
        return ShingleFit.of(shingle.shingle(), threshold, shingle.counts(), texts.documents(), targets);
    }

    /** False candidates; what is below one costs nothing that counts. Infinite where no banding reaches the recall. */
    private double cost(ShingleValley found) {
        try {
            return Math.max(
                    BandingSolver.FALSE_CANDIDATES_MAX,
                    fit(found.measured, found.valley.threshold()).falseCandidates());
        } catch (IllegalArgumentException e) {
            return Double.POSITIVE_INFINITY;
        }
    }
}
