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
 * Pairs measured by all shingles, and what they say: where the documents part, by the shingle that shows it best, and
 * how sure that is.
 *
 * <p>Of the shingles whose valleys are nearly as deep as the deepest, that one counts which costs least. A half of the
 * documents says the same if its valley of this shingle is near, and nearly the deepest there.
 */
final class TuningRound {
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
    /** Where the documents may part, the first choice first; empty where they do not, or nothing can be said. */
    private final List<Found> partings;

    private final Finding finding;

    private record Found(MeasuredShingle measured, Valley valley) {}

    TuningRound(List<MeasuredShingle> measured, GatheredTexts texts, TuningTargets targets) {
        this.measured = measured;
        this.texts = texts;
        this.targets = targets;
        List<Found> deep = nearlyDeepest(MeasuredShingle::valley).stream()
                .filter(found -> found.valley.depth() >= DEPTH_MIN)
                .sorted(Comparator.comparingDouble(this::cost).thenComparingDouble(found -> -found.valley.depth()))
                .toList();
        this.finding = finding(deep);
        // Of these whatever valley their similarities show is chance.
        boolean isNothingToPart = finding == Finding.TOO_FEW || finding == Finding.ALL_ALIKE;
        this.partings = isNothingToPart ? List.of() : deep;
    }

    private List<Found> nearlyDeepest(Function<MeasuredShingle, Optional<Valley>> valleyOf) {
        List<Found> found = new ArrayList<>();
        measured.forEach(shingle -> valleyOf.apply(shingle).ifPresent(valley -> found.add(new Found(shingle, valley))));
        double deepest =
                found.stream().mapToDouble(one -> one.valley.depth()).max().orElse(0);
        found.removeIf(one -> one.valley.depth() < NEARLY_DEEPEST * deepest);
        return found;
    }

    /** How many halves of the documents say the same. */
    private int halves(Found candidate) {
        int halves = 0;
        for (int half = 0; half < Valley.HALVES; half++) {
            int asked = half;
            halves += nearlyDeepest(shingle -> shingle.valleyOfHalf(asked)).stream()
                            .anyMatch(found ->
                                    found.measured == candidate.measured && found.valley.isNear(candidate.valley))
                    ? 1
                    : 0;
        }
        return halves;
    }

    private Finding finding(List<Found> deep) {
        SimilarityCounts usual = usual().counts();
        if (texts.documents() < Tuning.DOCUMENTS_MIN) {
            return Finding.TOO_FEW;
        }
        if (usual.pairsFrom(ALIKE) >= NEARLY_ALL * usual.pairs()) {
            return Finding.ALL_ALIKE;
        }
        boolean isShort = texts.typicalCharacters() < Tuning.CHARACTERS_MIN;
        if (!deep.isEmpty()) {
            Found first = deep.get(0);
            return first.valley.isSure(halves(first)) && !isShort ? Finding.PARTED : Finding.UNSURE;
        }
        double copies = usual.pairsFrom(targets.threshold());
        if (copies == 0) {
            return Finding.NO_COPIES;
        }
        return usual.pairsFrom(NEARLY_EQUAL) >= NEARLY_ALL * copies
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
                pairs.askers(),
                pairs.allPairs(),
                pairs.size(),
                texts.typicalCharacters(),
                measured,
                found,
                found == Finding.PARTED ? fit(best(), bestThreshold()) : convention(),
                partings.stream()
                        .map(parting -> Alternative.of(parting.measured, parting.valley.threshold(), halves(parting)))
                        .toList(),
                boilerplate);
    }

    /** What was measured by the shingle that shows best where the documents part, else by that of the convention. */
    MeasuredShingle best() {
        return partings.isEmpty() ? usual() : partings.get(0).measured;
    }

    /** The threshold that belongs to it. */
    double bestThreshold() {
        return partings.isEmpty() ? targets.threshold() : partings.get(0).valley.threshold();
    }

    private MeasuredShingle usual() {
        return measured.stream()
                .filter(tried -> tried.shingle().equals(targets.shingle()))
                .findFirst()
                .orElseThrow();
    }

    private ShingleFit convention() {
        SimilarityCounts pairs = usual().counts();
        double unrelated = pairs.pairs() - pairs.pairsFrom(targets.threshold());
        if (unrelated * usual().share() < UNRELATED_MIN) {
            pairs = new SimilarityCounts();
            pairs.add(targets.unrelated(), 1);
        }
        return ShingleFit.of(targets.shingle(), targets.threshold(), pairs, texts.documents(), targets);
    }

    private ShingleFit fit(MeasuredShingle shingle, double threshold) {
        return ShingleFit.of(shingle.shingle(), threshold, shingle.counts(), texts.documents(), targets);
    }

    /** False candidates; what is below one costs nothing that counts. Infinite where no banding reaches the recall. */
    private double cost(Found found) {
        try {
            return Math.max(
                    BandingSolver.FALSE_CANDIDATES_MAX,
                    fit(found.measured, found.valley.threshold()).falseCandidates());
        } catch (IllegalArgumentException e) {
            return Double.POSITIVE_INFINITY;
        }
    }
}
