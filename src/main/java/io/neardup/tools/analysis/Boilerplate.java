package io.neardup.tools.analysis;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;
import io.neardup.tools.analysis.Tuning.PairExample;
import java.util.Optional;

/**
 * How much of what a threshold finds is held together by shingles that many unlike documents hold.
 *
 * @param shingle such as {@code char:9}
 * @param threshold that was asked
 * @param documents in which boilerplate was counted
 * @param leftOut share of the shingles of all documents that are common, 0 to 1
 * @param pairs at or above the threshold
 * @param left those of them that stay there without the boilerplate
 * @param example a pair that does not stay, where one was found
 * @param exampleLeft its similarity without the boilerplate
 */
public record Boilerplate(
        String shingle,
        double threshold,
        @JsonProperty("counted") int documents,
        double leftOut,
        double pairs,
        double left,
        @JsonIgnore Optional<PairExample> example,
        @JsonIgnore double exampleLeft) {
    private static final double MOST = 0.5;

    private static final int EXAMPLES_TRIED_MAX = 100;

    /** Fewer pairs say nothing. */
    private static final int PAIRS_MIN = 10;

    /** The share of the pairs that boilerplate alone holds above the threshold. */
    @JsonProperty
    public double share() {
        return pairs == 0 ? 0 : Math.max(0, 1 - left / pairs);
    }

    /** Whether most of what would be found is boilerplate. */
    boolean isMost() {
        return pairs >= PAIRS_MIN && share() > MOST;
    }

    /** Asks how many of the pairs that were measured whole stay at or above a threshold. */
    static Boilerplate of(
            MeasuredShingle whole, double threshold, PairSample pairs, Shingling shingling, BoilerplateCounts counts) {
        BoilerplateCount count = counts.of(shingling);
        double found = whole.counts().pairsFrom(threshold);
        double left = found;
        PairExample example = null;
        double exampleLeft = 0;
        BoilerplateShingles common = count.boilerplate().orElse(null);
        if (common != null) {
            Shingling without = shingling.without(common);
            left = pairs.measure(without).counts().pairsFrom(threshold);
            Shingler filtered = without.shingler(0);
            Shingles buffer = new Shingles();
            for (PairExample pair : whole.from(threshold, EXAMPLES_TRIED_MAX)) {
                ShingleSet first = pair.first().shingles(filtered, buffer);
                double jaccard = first.jaccard(pair.second().shingles(filtered, buffer));
                if (jaccard < threshold) {
                    example = pair;
                    exampleLeft = jaccard;
                    break;
                }
            }
        }
        return new Boilerplate(
                whole.shingle(),
                threshold,
                count.documents(),
                count.leftOut(),
                found,
                left,
                Optional.ofNullable(example),
                exampleLeft);
    }
}
