package io.neardup.tools.analysis;

import io.neardup.engine.lsh.BandingSolver;
import io.neardup.engine.similarity.Valley;
import io.neardup.tools.analysis.Tuning.Alternative;
import io.neardup.tools.analysis.Tuning.Finding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
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

    /** Whatever valley their similarities show is chance. */
    private static final Set<Finding> NOTHING_TO_PART =
            EnumSet.of(Finding.TOO_FEW, Finding.ALL_EQUAL, Finding.ALL_ALIKE);

    private final List<MeasuredShingle> measured;
    private final int documents;
    private final TuningTargets targets;
    /** Where the documents part; null where they do not, or nothing can be said. */
    private final @Nullable Found parting;
    /** What halves say instead, the more of them the earlier. */
    private final List<Found> others = new ArrayList<>();

    private final Finding finding;

    /** @param halves that say the same */
    private record Found(MeasuredShingle measured, Valley valley, int halves) {
        boolean isNear(Found other) {
            return measured == other.measured && valley.isNear(other.valley);
        }

        Found oneMore() {
            return new Found(measured, valley, halves + 1);
        }

        boolean isSure() {
            return valley.isSure(halves);
        }

        Alternative alternative() {
            return Alternative.of(measured, valley.threshold(), halves);
        }
    }

    TuningRound(List<MeasuredShingle> measured, GatheredTexts texts, TuningTargets targets) {
        this.measured = measured;
        this.documents = texts.documents();
        this.targets = targets;
        Found deep = nearlyDeepest(MeasuredShingle::valley).stream()
                .filter(found -> found.valley.depth() >= DEPTH_MIN)
                .min(Comparator.comparingDouble(this::cost).thenComparingDouble(found -> -found.valley.depth()))
                .map(this::withHalves)
                .orElse(null);
        this.finding = finding(texts, deep);
        this.parting = NOTHING_TO_PART.contains(finding) ? null : deep;
    }

    private List<Found> nearlyDeepest(Function<MeasuredShingle, Optional<Valley>> valleyOf) {
        List<Found> found = new ArrayList<>();
        for (MeasuredShingle shingle : measured) {
            valleyOf.apply(shingle).ifPresent(valley -> found.add(new Found(shingle, valley, 0)));
        }
        found.sort(Comparator.comparingDouble(shingle -> -shingle.valley.depth()));
        double least =
                found.isEmpty() ? 0 : NEARLY_DEEPEST * found.get(0).valley.depth();
        found.removeIf(shingle -> shingle.valley.depth() < least);
        return found;
    }

    /** How many halves say the same; what others say is kept. */
    private Found withHalves(Found candidate) {
        Found best = candidate;
        for (int half = 0; half < Valley.HALVES; half++) {
            int asked = half;
            List<Found> found = nearlyDeepest(shingle -> shingle.valleyOfHalf(asked));
            if (found.stream().anyMatch(candidate::isNear)) {
                best = best.oneMore();
            } else if (!found.isEmpty()) {
                count(found.get(0));
            }
        }
        others.sort(Comparator.comparingInt(Found::halves).reversed());
        return best;
    }

    private void count(Found found) {
        for (int i = 0; i < others.size(); i++) {
            if (others.get(i).isNear(found)) {
                others.set(i, others.get(i).oneMore());
                return;
            }
        }
        others.add(found.oneMore());
    }

    private Finding finding(GatheredTexts texts, @Nullable Found deep) {
        SimilarityCounts usual = usual().counts();
        if (documents < Tuning.DOCUMENTS_MIN) {
            return Finding.TOO_FEW;
        }
        if (texts.isAllEqual()) {
            return Finding.ALL_EQUAL;
        }
        if (usual.pairsFrom(ALIKE) >= NEARLY_ALL * usual.pairs()) {
            return Finding.ALL_ALIKE;
        }
        boolean isShort = texts.typicalCharacters() < Tuning.CHARACTERS_MIN;
        if (deep != null) {
            return deep.isSure() && !isShort ? Finding.PARTED : Finding.UNSURE;
        }
        double copies = usual.pairsFrom(targets.threshold());
        if (copies == 0) {
            return Finding.NO_COPIES;
        }
        return usual.pairsFrom(NEARLY_EQUAL) >= NEARLY_ALL * copies
                ? Finding.EXACT_COPIES
                : isShort ? Finding.UNSURE : Finding.NO_VALLEY;
    }

    List<MeasuredShingle> measured() {
        return measured;
    }

    Finding finding() {
        return finding;
    }

    /** What could be chosen, first that of the deepest valley; empty where nothing parts. */
    List<Alternative> alternatives() {
        return parting == null
                ? List.of()
                : Stream.concat(Stream.of(parting), others.stream())
                        .map(Found::alternative)
                        .toList();
    }

    /** What was measured by the shingle that shows best where the documents part, else by that of the convention. */
    MeasuredShingle best() {
        return parting == null ? usual() : parting.measured;
    }

    /** The threshold that belongs to it. */
    double bestThreshold() {
        return parting == null ? targets.threshold() : parting.valley.threshold();
    }

    private MeasuredShingle usual() {
        return measured.stream()
                .filter(tried -> tried.shingle().equals(targets.shingle()))
                .findFirst()
                .orElseThrow();
    }

    /**
     * The settings of the proposal.
     *
     * @throws IllegalArgumentException if no banding within the hashes reaches the recall
     */
    ShingleFit fit() {
        if (finding == Finding.PARTED) {
            return fit(best(), bestThreshold());
        }
        SimilarityCounts pairs = usual().counts();
        if (pairs.pairs() - pairs.pairsFrom(targets.threshold()) < UNRELATED_MIN) {
            pairs = new SimilarityCounts();
            pairs.add(targets.unrelated(), 1);
        }
        return ShingleFit.of(targets.shingle(), targets.threshold(), pairs, documents, targets);
    }

    private ShingleFit fit(MeasuredShingle shingle, double threshold) {
        return ShingleFit.of(shingle.shingle(), threshold, shingle.counts(), documents, targets);
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
