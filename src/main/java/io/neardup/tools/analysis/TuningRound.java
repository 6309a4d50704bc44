package io.neardup.tools.analysis;

import io.neardup.engine.lsh.BandingSolver;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Pairs measured by all shingles, and what they say. */
final class TuningRound {
    /** So large a share of the pairs is nearly all of them. */
    private static final double NEARLY_ALL = 0.99;

    /** Pairs from here on have more in common than not. */
    private static final double ALIKE = 0.5;

    /** Pairs from here on are equal but for a word or two. */
    private static final double NEARLY_EQUAL = 0.97;

    /** Fewer unrelated pairs do not tell what the index costs. */
    private static final int UNRELATED_MIN = 100;

    /** Whatever valley their similarities show is chance. */
    private static final Set<Finding> NOTHING_TO_PART =
            EnumSet.of(Finding.TOO_FEW, Finding.ALL_EQUAL, Finding.ALL_ALIKE);

    private final List<MeasuredShingle> measured;
    private final int documents;
    private final TuningTargets targets;
    private final Optional<ThresholdDetection> parting;
    private final Finding finding;

    TuningRound(List<MeasuredShingle> measured, GatheredTexts texts, TuningTargets targets) {
        this.measured = measured;
        this.documents = texts.documents();
        this.targets = targets;
        this.parting = ThresholdDetection.of(measured, this::cost);
        this.finding = finding(texts);
    }

    List<MeasuredShingle> measured() {
        return measured;
    }

    Finding finding() {
        return finding;
    }

    List<Alternative> alternatives() {
        return parted().map(ThresholdDetection::alternatives).orElse(List.of());
    }

    /** What was measured by the shingle that shows best where the documents part, else by that of the convention. */
    MeasuredShingle best() {
        return parted().map(ThresholdDetection::measured).orElseGet(this::usual);
    }

    /** The threshold that belongs to it. */
    double bestThreshold() {
        return parted().map(ThresholdDetection::threshold).orElse(targets.threshold());
    }

    private Optional<ThresholdDetection> parted() {
        return NOTHING_TO_PART.contains(finding) ? Optional.empty() : parting;
    }

    private MeasuredShingle usual() {
        return measured.stream()
                .filter(tried -> tried.shingle().equals(targets.shingle()))
                .findFirst()
                .orElseThrow();
    }

    private Finding finding(GatheredTexts texts) {
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
        if (parting.isPresent()) {
            return parting.get().isSure() && !isShort ? Finding.PARTED : Finding.UNSURE;
        }
        double copies = usual.pairsFrom(targets.threshold());
        if (copies == 0) {
            return Finding.NO_COPIES;
        }
        return usual.pairsFrom(NEARLY_EQUAL) >= NEARLY_ALL * copies
                ? Finding.EXACT_COPIES
                : isShort ? Finding.UNSURE : Finding.NO_VALLEY;
    }

    /**
     * The settings of the proposal.
     *
     * @throws IllegalArgumentException if no banding within the hashes reaches the recall
     */
    ShingleFit fit() {
        return finding == Finding.PARTED ? fit(best(), bestThreshold()) : convention();
    }

    private ShingleFit fit(MeasuredShingle shingle, double threshold) {
        return ShingleFit.of(shingle.shingle(), threshold, shingle.counts(), documents, targets);
    }

    private ShingleFit convention() {
        SimilarityCounts pairs = usual().counts();
        if (pairs.pairs() - pairs.pairsFrom(targets.threshold()) < UNRELATED_MIN) {
            pairs = new SimilarityCounts();
            pairs.add(targets.unrelated(), 1);
        }
        return ShingleFit.of(targets.shingle(), targets.threshold(), pairs, documents, targets);
    }

    /** False candidates; what is below one costs nothing that counts. */
    private double cost(MeasuredShingle shingle, double threshold) {
        try {
            return Math.max(
                    BandingSolver.FALSE_CANDIDATES_MAX, fit(shingle, threshold).falseCandidates());
        } catch (IllegalArgumentException e) {
            return Double.POSITIVE_INFINITY;
        }
    }
}
