package io.neardup.tools.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where documents part, by the shingle that shows it best, and how sure that is.
 *
 * <p>Of the shingles whose valleys are nearly as deep as the deepest, that one counts which costs least. A half of the
 * documents says the same if its valley of this shingle is near, and nearly the deepest there.
 */
final class ThresholdDetection {
    /** Valleys that are no deeper are found in chance alone. */
    private static final double DEPTH_MIN = 4;

    /** In random parts of labelled documents all proposals were good from here on; the bad ones were below 10. */
    private static final double DEPTH_SURE = 12;

    /** In a large collection a shallow dent is deep enough, and parts nothing. */
    private static final double CONTRAST_SURE = 2;

    /** So much of the deepest is nearly as deep. */
    private static final double NEARLY_DEEPEST = 0.75;

    /** Two thirds of the halves: half of them and one more is nearly as often as not. */
    private static final int HALVES_SURE = (2 * MeasuredShingle.HALVES + 2) / 3;

    /** Thresholds that are no further apart are alike. */
    private static final double NEAR = 0.1 + 1e-9;

    private final Found best;
    private final List<Found> alternatives;

    private ThresholdDetection(Found best, List<Found> alternatives) {
        this.best = best;
        this.alternatives = alternatives;
    }

    /** @param halves that say the same */
    private record Found(MeasuredShingle measured, Valley valley, int halves) {
        boolean isNear(Found other) {
            return measured == other.measured && Math.abs(valley.threshold() - other.valley.threshold()) <= NEAR;
        }

        Found oneMore() {
            return new Found(measured, valley, halves + 1);
        }
    }

    /**
     * Looks for it; of an equal cost the deepest valley counts.
     *
     * @param costs of a shingle at a threshold, at least 0; infinite where it cannot be used
     */
    static Optional<ThresholdDetection> of(List<MeasuredShingle> measured, Costs costs) {
        return nearlyDeepest(measured, MeasuredShingle::valley).stream()
                .filter(found -> found.valley.depth() >= DEPTH_MIN)
                .min(Comparator.<Found>comparingDouble(found -> costs.of(found.measured, found.valley.threshold()))
                        .thenComparingDouble(found -> -found.valley.depth()))
                .map(best -> asked(best, measured));
    }

    /** What a shingle at a threshold would cost. */
    @FunctionalInterface
    interface Costs {
        double of(MeasuredShingle measured, double threshold);
    }

    private static ThresholdDetection asked(Found candidate, List<MeasuredShingle> measured) {
        Found best = candidate;
        List<Found> others = new ArrayList<>();
        for (int half = 0; half < MeasuredShingle.HALVES; half++) {
            int asked = half;
            List<Found> found = nearlyDeepest(measured, shingle -> shingle.valleyOfHalf(asked));
            if (found.stream().anyMatch(candidate::isNear)) {
                best = best.oneMore();
            } else if (!found.isEmpty()) {
                count(deepest(found), others);
            }
        }
        others.sort(Comparator.comparingInt(Found::halves).reversed());
        return new ThresholdDetection(best, others);
    }

    private static void count(Found found, List<Found> others) {
        for (int i = 0; i < others.size(); i++) {
            if (others.get(i).isNear(found)) {
                others.set(i, others.get(i).oneMore());
                return;
            }
        }
        others.add(found.oneMore());
    }

    private static List<Found> nearlyDeepest(
            List<MeasuredShingle> measured, Function<MeasuredShingle, Optional<Valley>> valleyOf) {
        List<Found> found = new ArrayList<>();
        for (MeasuredShingle shingle : measured) {
            valleyOf.apply(shingle).ifPresent(valley -> found.add(new Found(shingle, valley, 0)));
        }
        if (!found.isEmpty()) {
            double least = NEARLY_DEEPEST * deepest(found).valley.depth();
            found.removeIf(shingle -> shingle.valley.depth() < least);
        }
        return found;
    }

    private static Found deepest(List<Found> found) {
        return found.stream()
                .max(Comparator.comparingDouble(shingle -> shingle.valley.depth()))
                .orElseThrow();
    }

    /** Whether the valley is deep, and two thirds of the halves of the documents have it too. */
    boolean isSure() {
        return best.valley.depth() >= DEPTH_SURE
                && best.valley.contrast() >= CONTRAST_SURE
                && best.halves >= HALVES_SURE;
    }

    MeasuredShingle measured() {
        return best.measured;
    }

    double threshold() {
        return best.valley.threshold();
    }

    /** The proposal, and behind it what halves say instead, the more of them the earlier. */
    List<Alternative> alternatives() {
        List<Alternative> all = new ArrayList<>();
        all.add(Alternative.of(best.measured, best.valley.threshold(), best.halves));
        alternatives.forEach(other -> all.add(Alternative.of(other.measured, other.valley.threshold(), other.halves)));
        return all;
    }
}
