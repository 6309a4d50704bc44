package io.neardup.engine.similarity;

import io.neardup.engine.text.BoilerplateFilter;
import io.neardup.engine.text.NormalizedBuffer;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;
import java.nio.ByteBuffer;
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
public record MinHashFamily(Shingling shingling, Measure measure, Verification verification) implements Family {
    /** Version of the evidence of estimates; an index made with another cannot be read. */
    private static final int EVIDENCE_VERSION = 2;

    /** @throws IllegalArgumentException for containment by estimates, as they come from the Jaccard similarity alone */
    public MinHashFamily {
        if (measure == Measure.CONTAINMENT && verification == Verification.ESTIMATE) {
            throw new IllegalArgumentException(
                    "containment by estimate: expected verification that is exact, or the measure jaccard");
        }
    }

    @Override
    public Map<String, String> identity() {
        Map<String, String> identity = new LinkedHashMap<>(shingling.identity());
        identity.put("signature.version", String.valueOf(FastSimilaritySketch.VERSION));
        identity.put("similarity.verify", verification.toString());
        if (verification == Verification.ESTIMATE) {
            identity.put("evidence.version", String.valueOf(EVIDENCE_VERSION));
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
        return verification == Verification.EXACT ? exactJudge(seed) : MinHashFamily::estimate;
    }

    private SimilarityJudge exactJudge(long seed) {
        Shingler whole = shingling.whole().shingler(seed);
        return new ExactOverlap(
                whole, measure, shingling.boilerplateFilter(seed).orElse(null));
    }

    /**
     * The evidence of estimates: the number of distinct shingles, then the values in order, 4 bytes each, big endian.
     * It is of one size whatever the document.
     */
    static Evidence evidence(int distinctShingles, int[] signature) {
        ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES * (1 + signature.length));
        buffer.putInt(distinctShingles);
        buffer.asIntBuffer().put(signature);
        return Evidence.of(buffer.array());
    }

    /**
     * The Jaccard similarity, estimated within about 0.04 (one standard error, 130 values, similarity 0.7). How much of
     * each text is in the other follows from it and from the numbers of their shingles: with J = shared / (a + b -
     * shared), shared = (a + b) J / (1 + J).
     */
    static Similarity estimate(Evidence a, Evidence b) {
        int length = a.bytes().length;
        if (length != b.bytes().length || length <= Integer.BYTES || length % Integer.BYTES != 0) {
            throw new IllegalArgumentException("Evidence of " + length + " and " + b.bytes().length
                    + " bytes: expected two signatures of one size, 4 bytes a value and 4 for the number of shingles");
        }
        ByteBuffer valuesOfA = ByteBuffer.wrap(a.bytes());
        ByteBuffer valuesOfB = ByteBuffer.wrap(b.bytes());
        int equal = 0;
        for (int at = Integer.BYTES; at < length; at += Integer.BYTES) {
            equal += valuesOfA.getInt(at) == valuesOfB.getInt(at) ? 1 : 0;
        }
        double jaccard = Integer.BYTES * equal / (double) (length - Integer.BYTES);
        int first = valuesOfA.getInt(0);
        int second = valuesOfB.getInt(0);
        double shared = ((double) first + second) * jaccard / (1 + jaccard);
        return new Similarity(jaccard, Math.min(1, shared / first), Math.min(1, shared / second));
    }

    private final class MinHashSigner extends ShingleSigner {
        /** Counts distinct shingles for estimates. */
        private final HashTable table = new HashTable();

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
            if (verification == Verification.EXACT) {
                return new SignedText(signature, ExactJudge.evidence(normalized));
            }
            table.load(shingles);
            return new SignedText(signature, evidence(table.size(), signature));
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
