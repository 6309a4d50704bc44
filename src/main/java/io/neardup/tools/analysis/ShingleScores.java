package io.neardup.tools.analysis;

import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.engine.text.Shingling;
import java.util.List;
import java.util.Optional;

/**
 * How well the pairs at or above a threshold fit what people say, by one shingle.
 *
 * @param shingling how the documents were cut, and what of it did not count
 * @param floor similarity below which no pairs were looked for; 0 where all that are judged were compared
 * @param belowFloor pairs that people call duplicates below the floor: all thresholds miss them
 * @param settings at the threshold of the settings, or what stands for the same editing in this shingle
 * @param best the threshold of the highest F1, in steps of 0.001
 * @param sweep all of these thresholds from 1 down to the floor
 */
public record ShingleScores(
        Shingling shingling,
        double floor,
        long belowFloor,
        AtThreshold settings,
        AtThreshold best,
        List<AtThreshold> sweep) {
    private static final double THOUSANDTHS = 1_000;

    public ShingleScores {
        sweep = List.copyOf(sweep);
    }

    /** Such as {@code char:9}. */
    public String shingle() {
        return shingling.spec();
    }

    /** Shingles that did not count. */
    public Optional<BoilerplateShingles> boilerplate() {
        return Optional.ofNullable(shingling.boilerplate());
    }

    /** The scores at a threshold in whole thousandths; empty below the floor. */
    public Optional<AtThreshold> at(double threshold) {
        return sweep.stream()
                .filter(at -> Math.round(at.threshold() * THOUSANDTHS) == Math.round(threshold * THOUSANDTHS))
                .findFirst();
    }

    /** Whether all pairs at the threshold of the settings were looked for. */
    public boolean reachesSettings() {
        return settings.threshold() >= floor;
    }
}
