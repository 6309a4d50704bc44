package io.neardup.engine.similarity;

import io.neardup.engine.text.BoilerplateFilter;
import io.neardup.engine.text.NormalizedBuffer;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sets of shingles, by their Jaccard similarity or containment ({@link FastSimilaritySketch}, as good as MinHash): the
 * chance to agree on a value is the Jaccard similarity.
 *
 * <p>Signatures see containment only through the Jaccard similarity. Sets of equal size with containment c have a
 * Jaccard similarity of c / (2 - c), and this is taken for the chance. Where one set is much smaller the true chance is
 * less, down to c times the ratio of the sizes, and the pair may share no bucket.
 */
public final class MinHashFamily implements Family {
    private final Shingling shingling;
    private final Measure measure;
    private final Verification verification;

    /** @throws IllegalArgumentException for containment by estimates, as they come from the Jaccard similarity alone */
    public MinHashFamily(Shingling shingling, Measure measure, Verification verification) {
        if (measure == Measure.CONTAINMENT && verification == Verification.ESTIMATE) {
            throw new IllegalArgumentException(
                    "containment by estimate: expected verification that is exact, or the measure jaccard");
        }
        this.shingling = shingling;
        this.measure = measure;
        this.verification = verification;
    }

    @Override
    public Map<String, String> identity() {
        Map<String, String> identity = new LinkedHashMap<>(shingling.identity());
        identity.put("signature.version", String.valueOf(FastSimilaritySketch.VERSION));
        identity.put("similarity.verify", verification.toString());
        if (verification == Verification.ESTIMATE) {
            identity.put("evidence.version", String.valueOf(EstimatedOverlap.VERSION));
        }
        if (sketchUse() != SketchUse.NONE) {
            identity.put("sketch.version", String.valueOf(BitSketch.VERSION));
        }
        return identity;
    }

    @Override
    public int valuesMax() {
        return FastSimilaritySketch.SIZE_MAX;
    }

    @Override
    public double agreement(double similarity) {
        return measure == Measure.JACCARD ? similarity : similarity / (2 - similarity);
    }

    /** Verification by estimate costs as little as sketches do. */
    @Override
    public SketchUse sketchUse() {
        if (verification == Verification.ESTIMATE) {
            return SketchUse.NONE;
        }
        return measure == Measure.JACCARD ? SketchUse.CUT : SketchUse.RANK;
    }

    @Override
    public boolean readsNormalizedText() {
        return true;
    }

    @Override
    public double defaultThreshold() {
        return 0.7;
    }

    @Override
    public double defaultUnrelated() {
        return 0.02;
    }

    @Override
    public TextSigner signer(int values, long seed) {
        return new MinHashSigner(values, seed);
    }

    @Override
    public SimilarityJudge judge(int values, long seed) {
        return verification == Verification.EXACT ? exactJudge(seed) : new EstimatedOverlap();
    }

    private SimilarityJudge exactJudge(long seed) {
        Shingler whole = shingling.whole().shingler(seed);
        return new ExactOverlap(
                whole, measure, shingling.boilerplateFilter(seed).orElse(null));
    }

    private final class MinHashSigner extends ShingleSigner {
        private final EstimatedOverlap.Counter counter = new EstimatedOverlap.Counter();
        private final FastSimilaritySketch scheme;
        /** Null where all shingles count, or what does not count was excluded before. */
        private final @Nullable BoilerplateFilter filter;

        MinHashSigner(int values, long seed) {
            // An estimate needs the number of those that count.
            super(verification == Verification.EXACT ? shingling.whole() : shingling, seed);
            this.scheme = new FastSimilaritySketch(values);
            this.filter = verification == Verification.EXACT
                    ? shingling.boilerplateFilter(seed).orElse(null)
                    : null;
        }

        @Override
        SignedText sign(Shingles shingles, NormalizedBuffer normalized) {
            int[] signature = signature(shingles);
            return new SignedText(
                    signature,
                    verification == Verification.EXACT
                            ? ExactJudge.evidence(normalized)
                            : counter.evidence(shingles, signature));
        }

        private int[] signature(Shingles shingles) {
            if (filter == null) {
                return scheme.sign(shingles);
            }
            FastSimilaritySketch.Filtered filtered = scheme.sign(shingles, filter);
            exclude(filtered.excluded());
            return filtered.signature();
        }
    }
}
