package io.neardup.tools.analysis;

import io.neardup.config.NeardupConfig;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;
import io.neardup.tools.analysis.Labels.DocumentPair;
import io.neardup.tools.feed.Progress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Scores what people say of pairs by several shingles, one after the other: only one has its sets in memory.
 *
 * <p>Where all pairs are judged, all pairs from a floor on are sought. By short shingles most pairs can be alike; a
 * search that exceeds its bound starts anew from a higher floor, and is given up where that is 1. Where only some are
 * judged, these are compared, however alike.
 */
final class LabelTrials {
    /** Some seconds a search. */
    private static final long STEPS_MAX = 1_000_000_000L;

    private static final double FLOOR_STEP = 0.1;

    private final List<ComparedText> texts;
    private final NeardupConfig config;
    private final Labels labels;
    private final long seed;
    private final long stepsMax;
    private final Progress progress;

    LabelTrials(List<ComparedText> texts, NeardupConfig config, Labels labels, long seed, Progress progress) {
        this(texts, config, labels, seed, STEPS_MAX, progress);
    }

    /** @param stepsMax of one search, as in {@link SimilarPairs#join} */
    LabelTrials(
            List<ComparedText> texts,
            NeardupConfig config,
            Labels labels,
            long seed,
            long stepsMax,
            Progress progress) {
        this.texts = texts;
        this.config = config;
        this.labels = labels;
        this.seed = seed;
        this.stepsMax = stepsMax;
        this.progress = progress;
    }

    /**
     * The scores by a shingle.
     *
     * @param shingling of the same normalized text as the settings
     * @param floor above 0, at most 1; of no effect where only some pairs are judged
     * @return empty where too many pairs are alike
     */
    Optional<ShingleScores> scores(Shingling shingling, double floor) {
        return labels.isPartial() ? Optional.of(judged(shingling)) : all(shingling, floor);
    }

    /** The scores by a shingle of the pairs that lines name, however alike. */
    ShingleScores judged(Shingling shingling) {
        ShingleScores.Sweep sweep = sweep(shingling);
        Shingler shingler = shingling.shingler(seed);
        Shingles buffer = new Shingles();
        Map<Integer, ShingleSet> sets = new HashMap<>();
        IntFunction<ShingleSet> set =
                text -> sets.computeIfAbsent(text, cut -> texts.get(cut).shingles(shingler, buffer));
        for (DocumentPair pair : labels.answers().keySet()) {
            sweep.add(pair.first(), pair.second(), set.apply(pair.first()).jaccard(set.apply(pair.second())));
        }
        return sweep.scores(shingling, 0);
    }

    private Optional<ShingleScores> all(Shingling shingling, double floor) {
        SimilarPairs pairs = new SimilarPairs(texts, shingling.shingler(seed), shingling.spec(), progress);
        for (double from = Math.min(floor, threshold(shingling.spec())); from <= 1; from += FLOOR_STEP) {
            ShingleScores.Sweep sweep = sweep(shingling);
            if (pairs.join(from, stepsMax, sweep::add)) {
                return Optional.of(sweep.scores(shingling, from));
            }
        }
        return Optional.empty();
    }

    private ShingleScores.Sweep sweep(Shingling shingling) {
        return new ShingleScores.Sweep(labels, threshold(shingling.spec()));
    }

    private double threshold(String shingle) {
        String usual = config.shingling().spec();
        return shingle.equals(usual) ? config.threshold() : EditScale.equivalent(usual, config.threshold(), shingle);
    }
}
