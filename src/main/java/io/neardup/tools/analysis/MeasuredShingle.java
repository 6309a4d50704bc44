package io.neardup.tools.analysis;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.neardup.engine.similarity.Valley;
import io.neardup.engine.text.Shingling;
import io.neardup.tools.analysis.Tuning.PairExample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What was measured by one shingle: how similar each pair of a sample is, and which documents have neighbours, in all
 * and in {@value Valley#HALVES} random halves of the collection. A document is in a half by a bit of its mask. Not
 * changed any more.
 */
// Else the JVM chooses the order, and not the same in each run.
@JsonPropertyOrder({"shingle", "half", "high", "histogram", "valley"})
public final class MeasuredShingle {
    /**
     * Two documents of fewer different shingles together have similarities in steps wider than a window, so that the
     * counts are a comb with valleys of its own.
     */
    static final int TOGETHER_MIN = 13;
    /** So that these ranks differ from others. */
    private static final int MASKS = -1;
    /** Of pairs below this nobody asks for an example. */
    private static final double EXAMPLES_FROM = 0.08;
    /** A document that is repeated more often than so, and by more than so large a share of all, shares a template. */
    private static final int COPIES_MAX = 10;

    private static final double COPIES_SHARE_MAX = 0.01;

    private final Shingling shingling;
    private final PairSample sample;
    private final double[] jaccards;
    private final SimilarityCounts counts;
    private final List<Optional<Valley>> ofHalves = new ArrayList<>();
    private final Optional<Valley> valley;

    MeasuredShingle(Shingling shingling, PairSample sample) {
        PairSample.Similarities similarities = sample.similarities(shingling);
        this.shingling = shingling;
        this.sample = sample;
        this.jaccards = similarities.jaccards();
        this.counts = sample.counts(jaccards);
        Neighbours neighbours = new Neighbours(sample);
        for (int pair = 0; pair < jaccards.length; pair++) {
            if (similarities.together()[pair] >= TOGETHER_MIN) {
                neighbours.add(pair, SimilarityCounts.bin(jaccards[pair]));
            }
        }
        this.valley = similarities.typicalShingles() >= TOGETHER_MIN ? neighbours.valley() : Optional.empty();
        for (int half = 0; half < Valley.HALVES; half++) {
            int number = half;
            ofHalves.add(valley.flatMap(whole -> neighbours.valleyOfHalf(number, whole.bulk())));
        }
    }

    @JsonProperty
    public String shingle() {
        return shingling.spec();
    }

    /** How the documents were cut, and what of it did not count. */
    public Shingling shingling() {
        return shingling;
    }

    /** All pairs that were measured, each as often as it stands for others. */
    public SimilarityCounts counts() {
        return counts;
    }

    /** Of the pairs of {@link #counts} those that were looked at, or drawn from. */
    double share() {
        return sample.share();
    }

    /**
     * The valley between the unrelated and the copies; none where most documents have so few shingles that their
     * similarities are a comb.
     */
    public Optional<Valley> valley() {
        return valley;
    }

    @JsonProperty("valley")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Nullable
    ValleyJson valleyJson() {
        return valley.map(found -> new ValleyJson(found, counts.pairsFrom(found.threshold())))
                .orElse(null);
    }

    /** @param pairs at or above the threshold */
    private record ValleyJson(@JsonUnwrapped Valley valley, double pairs) {}

    /** The similarity that half of the pairs stay below. */
    @JsonProperty
    public double half() {
        return counts.quantile(0.5);
    }

    /** The similarity that 999 of 1,000 pairs stay below. */
    @JsonProperty
    public double high() {
        return counts.quantile(0.999);
    }

    @JsonProperty
    double[] histogram() {
        return counts.byBin();
    }

    /** The valley of one of the {@link Valley#HALVES}, which are the same for all shingles. */
    Optional<Valley> valleyOfHalf(int half) {
        return ofHalves.get(half);
    }

    /** Some pairs below a similarity, bin by bin downwards, and in each drawn at random. */
    public List<PairExample> below(double similarity, int max) {
        return examples(pair -> bin(pair) < SimilarityCounts.bin(similarity), pair -> -bin(pair), max);
    }

    /** Some pairs of a similarity and above, bin by bin upwards, and in each drawn at random. */
    public List<PairExample> from(double similarity, int max) {
        return examples(pair -> bin(pair) >= SimilarityCounts.bin(similarity), this::bin, max);
    }

    private List<PairExample> examples(IntPredicate wanted, ToIntFunction<Integer> order, int max) {
        return IntStream.range(0, jaccards.length)
                .filter(pair -> jaccards[pair] >= EXAMPLES_FROM && wanted.test(pair))
                .boxed()
                .sorted(Comparator.comparingInt(order)
                        .thenComparingLong(pair -> Reservoir.randomRank(
                                sample.first(pair).number(), sample.second(pair).number())))
                .limit(max)
                .map(pair -> new PairExample(sample.first(pair), sample.second(pair), jaccards[pair]))
                .toList();
    }

    private int bin(int pair) {
        return SimilarityCounts.bin(jaccards[pair]);
    }

    /**
     * How many documents have a neighbour of some similarity: a document of a large family counts no more than one of a
     * pair of copies. Of a family of 500 from one template all 125,000 pairs say the same thing; counted one by one
     * they would outweigh all else in a collection.
     *
     * <p>A neighbour that stands for others counts as one document at the most. Memory: 800 bytes a document.
     */
    private static final class Neighbours {
        private static final int BINS = SimilarityCounts.BINS;

        private final PairSample sample;
        private final float[][] pairs;
        private final int[][] halves;
        /** 1 to 2: how often a pair is counted on the average, as both may be anchors. */
        private final double countsOfPair;

        Neighbours(PairSample sample) {
            this.sample = sample;
            this.pairs = new float[sample.anchors()][];
            this.halves = new int[sample.anchors()][];
            this.countsOfPair = sample.anchors() * (sample.documents() - 1.0) / Math.max(1, sample.pairs());
        }

        void add(int pair, int bin) {
            int mask =
                    mask(sample.first(pair).number()) & mask(sample.second(pair).number());
            add(sample.anchor(pair), bin, sample.weight(pair), mask);
            if (sample.otherAnchor(pair) >= 0) {
                add(sample.otherAnchor(pair), bin, sample.weight(pair), mask);
            }
        }

        private void add(int document, int bin, double weight, int mask) {
            if (pairs[document] == null) {
                pairs[document] = new float[BINS];
                halves[document] = new int[BINS];
            }
            pairs[document][bin] += (float) weight;
            halves[document][bin] |= mask;
        }

        /** The halves in which a document is, a bit for each. */
        private static int mask(int document) {
            return (int) Reservoir.randomRank(document, MASKS) & ((1 << Valley.HALVES) - 1);
        }

        /** The valley before the copies: above the unrelated, and above those that only share a template. */
        Optional<Valley> valley() {
            Optional<Valley> valley = Valley.of(this::documents);
            while (valley.isPresent() && !isAboveTemplates(valley.get().threshold())) {
                valley = Valley.behind(valley.get().copies(), this::documents);
            }
            return valley;
        }

        private double documents(int fromBin, int toBin) {
            double documents = 0;
            for (float[] row : pairs) {
                documents += row == null ? 0 : Math.min(1, sum(row, fromBin, toBin));
            }
            return documents / countsOfPair;
        }

        /** Whether what is called duplicates there are few enough to be copies. */
        private boolean isAboveTemplates(double threshold) {
            double[] neighbours = Arrays.stream(pairs)
                    .filter(Objects::nonNull)
                    .mapToDouble(row -> sum(row, SimilarityCounts.bin(threshold), BINS))
                    .filter(sum -> sum > 0)
                    .sorted()
                    .toArray();
            double typical = neighbours.length == 0 ? 0 : neighbours[(neighbours.length - 1) / 2];
            return typical <= COPIES_MAX || typical <= COPIES_SHARE_MAX * sample.documents();
        }

        private static double sum(float[] row, int fromBin, int toBin) {
            double sum = 0;
            for (int bin = fromBin; bin < toBin; bin++) {
                sum += row[bin];
            }
            return sum;
        }

        /** The valley of one of the halves, above the bulk of all. */
        Optional<Valley> valleyOfHalf(int half, double bulk) {
            return Valley.behind(bulk, (from, to) -> documentsOfHalf(half, from, to) / countsOfPair);
        }

        private double documentsOfHalf(int half, int fromBin, int toBin) {
            int documents = 0;
            for (int[] row : halves) {
                int any = 0;
                for (int bin = fromBin; row != null && bin < toBin; bin++) {
                    any |= row[bin];
                }
                documents += any >>> half & 1;
            }
            return documents;
        }
    }
}
