package io.neardup.engine.similarity;

import io.neardup.engine.text.BoilerplateFilter;
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
    public double usualThreshold() {
        return 0.7;
    }

    @Override
    public double usualUnrelated() {
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
        return shingling
                .commonFilter(seed)
                .<SimilarityJudge>map(filter -> new FilteredOverlap(whole, measure, filter))
                .orElseGet(() -> new ExactOverlap(whole, measure));
    }

    private final class MinHashSigner implements TextSigner {
        private final EstimatedOverlap.Counter counter = new EstimatedOverlap.Counter();
        private final ShingledTexts texts;
        private final FastSimilaritySketch scheme;
        /** Null where all shingles count, or what does not count was left out before. */
        private final @Nullable BoilerplateFilter filter;

        MinHashSigner(int values, long seed) {
            boolean isExact = verification == Verification.EXACT; // an estimate needs the number of those that count
            this.texts = new ShingledTexts(isExact ? shingling.whole() : shingling, seed);
            this.scheme = new FastSimilaritySketch(values);
            this.filter = isExact ? shingling.commonFilter(seed).orElse(null) : null;
        }

        @Override
        public SignedText sign(byte[] utf8, int from, int to) throws UnsignableException {
            return sign(texts.cut(utf8, from, to));
        }

        @Override
        public SignedText signNormalized(byte[] utf8, int from, int to) throws UnsignableException {
            return sign(texts.cutNormalized(utf8, from, to));
        }

        private SignedText sign(Shingles shingles) {
            Signature signature = signature(shingles);
            return new SignedText(
                    signature.values(),
                    verification == Verification.EXACT
                            ? ExactJudge.evidence(texts.normalized())
                            : counter.evidence(shingles, signature));
        }

        private Signature signature(Shingles shingles) {
            if (filter == null || shingles.size() == 0) {
                return scheme.sign(shingles);
            }
            FastSimilaritySketch.Filtered filtered = scheme.sign(shingles, filter);
            texts.leaveOut(filtered.leftOut());
            return filtered.signature();
        }

        @Override
        public ShingleTotals shingles() {
            return texts.totals();
        }
    }
}
