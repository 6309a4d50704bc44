package io.neardup.tools.analysis;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.engine.text.Shingling;
import java.util.LinkedHashSet;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What a proposal is to reach, and the current settings, which stay where it is not clear where copies begin.
 *
 * @param shingling of the settings; others are cut from the same normalized text
 * @param threshold of the settings, above 0, at most 1
 * @param unrelated similarity of unrelated documents by the settings, for files that are too small to tell
 * @param recall at the threshold, above 0, below 1
 * @param indexSize unique documents that costs are weighed at, at least 1; empty for as many as there are
 */
public record TuningTargets(
        Shingling shingling, double threshold, double unrelated, double recall, OptionalLong indexSize) {

    /**
     * Those of the settings, whatever bands and rows they name. Costs are weighed at the number of documents that are
     * read, unless the settings give a size.
     */
    public static TuningTargets of(Settings settings, NeardupConfig config) {
        return new TuningTargets(
                config.shingling(),
                config.threshold(),
                config.unrelatedSimilarity(),
                config.recall(),
                settings.isGiven("neardup.index.size") ? OptionalLong.of(config.indexSize()) : OptionalLong.empty());
    }

    /** The shingle of the settings, such as {@code char:9}. */
    public String shingle() {
        return shingling.spec();
    }

    /**
     * The shingles that are tried: those of {@link Tuning#SHINGLES} and that of the settings; this alone where it has
     * boilerplate, which is known of no other.
     */
    public Set<String> shingles() {
        if (shingling.boilerplate() != null) {
            return Set.of(shingle());
        }
        Set<String> shingles = new LinkedHashSet<>(Tuning.SHINGLES);
        shingles.add(shingle());
        return shingles;
    }

    /** How texts are cut by a shingle: as the settings say if it is theirs, else into all shingles of that kind. */
    public Shingling shingling(String kind) {
        return shinglingOf(shingling, kind);
    }

    /** The shingling of settings with another shingle. What does not count by the one, is not known of the other. */
    static Shingling shinglingOf(Shingling settings, String shingle) {
        return shingle.equals(settings.spec())
                ? settings
                : new Shingling(settings.letterCase(), shingle, settings.stopWords(), settings.shinglesMax());
    }
}
