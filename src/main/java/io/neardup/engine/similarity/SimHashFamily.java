package io.neardup.engine.similarity;

import io.neardup.engine.text.NormalizedBuffer;
import io.neardup.engine.text.ShingleSpec;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Texts by the cosine of their weight vectors: random hyperplanes, a bit each ({@link SimHash}). Texts that share
 * nothing agree on half of the bits, so a band needs 10 to 20 rows. With 53 bands of 16 rows, 848 bits, texts share a
 * bucket with probability 0.990 at cosine 0.9, and 0.0013 at 0.05. The latter is ten thousand times what MinHash lets
 * through, so this is for indexes of up to a million documents.
 *
 * <p>Texts of equal length without repeats have cosine 2 J / (1 + J) at Jaccard similarity J: cosine 0.9 is a Jaccard
 * similarity of 0.82, and 0.82 is 0.7. Cosines were measured on random pairs of news stories, press releases and
 * package descriptions. With char:9 by term frequency the median is 0.002 to 0.023, and one pair in a hundred is above
 * 0.10 to 0.31. By single words these are 0.21 to 0.59 and 0.56 to 0.78, so single words want tf-idf, which makes them
 * 0.03 to 0.11 and 0.21 to 0.31.
 */
public final class SimHashFamily implements Family {
    /** Version of the evidence of estimates; an index made with another cannot be read. */
    private static final int EVIDENCE_VERSION = 1;

    private final Shingling shingling;
    private final @Nullable DocumentFrequencies frequencies;
    private final Verification verification;
    private @Nullable SeededWeights latest;

    /**
     * @param frequencies of terms of k words with a space between, in normalized form, for shingles of {@code word:k}:
     *     a shingle's weight is then how often the text has it, times its inverse document frequency; null where how
     *     often it has it counts alone
     * @throws IllegalArgumentException when the settings do not fit each other, or a term is not one shingle
     */
    public SimHashFamily(Shingling shingling, @Nullable DocumentFrequencies frequencies, Verification verification) {
        this.shingling = shingling;
        this.frequencies = frequencies;
        this.verification = verification;
        if (frequencies == null) {
            return;
        }
        ShingleSpec spec = ShingleSpec.of(shingling.spec());
        if (spec.kind() != ShingleSpec.Kind.WORD || spec.min() != spec.max()) {
            throw new IllegalArgumentException("weights tf-idf of shingles " + shingling.spec()
                    + ": expected word:k, such as word:1, as document frequencies are those of words");
        }
        // Any seed will do to see whether each term is one shingle.
        frequencies.weights(shingling.spec(), 0);
    }

    @Override
    public Map<String, String> identity() {
        Map<String, String> identity = new LinkedHashMap<>(shingling.identity());
        identity.put("signature.version", String.valueOf(SimHash.VERSION));
        identity.put("simhash.weights", frequencies == null ? "TF" : "TF_IDF");
        if (frequencies != null) {
            identity.put("simhash.frequencies", frequencies.fingerprint());
            identity.put("simhash.weights.version", String.valueOf(DocumentFrequencies.VERSION));
        }
        identity.put("similarity.verify", verification.toString());
        if (verification == Verification.ESTIMATE) {
            // The number of bits is left out for an exact judge: it uses only those of the bands.
            identity.put("simhash.bits", String.valueOf(SimHash.BITS_MAX));
            identity.put("evidence.version", String.valueOf(EVIDENCE_VERSION));
        }
        return identity;
    }

    @Override
    public int valuesMax() {
        return SimHash.BITS_MAX;
    }

    @Override
    public double agreement(double similarity) {
        if (!(similarity >= 0 && similarity <= 1)) {
            throw new IllegalArgumentException("Similarity " + similarity + ": expected 0 to 1");
        }
        return 1 - StrictMath.acos(similarity) / StrictMath.PI;
    }

    @Override
    public boolean readsNormalizedText() {
        return true;
    }

    @Override
    public double defaultThreshold() {
        return 0.9;
    }

    @Override
    public double defaultUnrelated() {
        return 0.05;
    }

    @Override
    public TextSigner signer(int values, long seed) {
        Family.requireValues(values, SimHash.BITS_MAX);
        return new SimHashSigner(values, seed);
    }

    @Override
    public SimilarityJudge judge(int values, long seed) {
        return verification == Verification.EXACT ? exactJudge(seed) : SimHashFamily::estimate;
    }

    private SimilarityJudge exactJudge(long seed) {
        ExactCosine counting = new ExactCosine(shingling.shingler(seed), weights(seed));
        return shingling.boilerplate() == null
                ? counting
                : new FilteringJudge(counting, new ExactCosine(shingling.whole().shingler(seed), weights(seed)));
    }

    /** Judges documents without boilerplate, and tells how similar they are with it; both of the same evidence. */
    private record FilteringJudge(SimilarityJudge counting, SimilarityJudge all) implements SimilarityJudge {
        @Override
        public Similarity similarity(Evidence a, Evidence b) {
            return counting.similarity(a, b);
        }

        @Override
        public double whole(Evidence a, Evidence b) {
            return all.similarity(a, b).value();
        }
    }

    /** The evidence of estimates: the words that {@link SimHash#sign} makes, in order, 8 bytes each, big endian. */
    public static Evidence evidence(long[] words) {
        ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES * words.length);
        buffer.asLongBuffer().put(words);
        return Evidence.of(buffer.array());
    }

    /**
     * The cosine, estimated from SimHashes: cos(pi h / bits) for h bits that differ, and 0 beyond a right angle. The
     * standard error is pi sqrt(p (1 - p) / bits) sin(theta), p being theta / pi: at cosine 0.9 it is 0.060 with 64
     * bits and 0.015 with 1024.
     */
    public static Similarity estimate(Evidence a, Evidence b) {
        int length = a.bytes().length;
        if (length != b.bytes().length || length == 0 || length % Long.BYTES != 0) {
            throw new IllegalArgumentException("Evidence of " + length + " and " + b.bytes().length
                    + " bytes: expected two SimHashes of one size, 8 bytes for 64 bits");
        }
        ByteBuffer wordsOfA = ByteBuffer.wrap(a.bytes());
        ByteBuffer wordsOfB = ByteBuffer.wrap(b.bytes());
        int different = 0;
        for (int at = 0; at < length; at += Long.BYTES) {
            different += Long.bitCount(wordsOfA.getLong(at) ^ wordsOfB.getLong(at));
        }
        double angle = StrictMath.PI * different / (Byte.SIZE * (double) length);
        return Similarity.of(Math.max(0, StrictMath.cos(angle)));
    }

    private synchronized ShingleWeights weights(long seed) {
        if (frequencies == null) {
            return ShingleWeights.EQUAL;
        }
        if (latest == null || latest.seed != seed) {
            latest = new SeededWeights(seed, frequencies.weights(shingling.spec(), seed));
        }
        return latest.weights;
    }

    /** The weights of a whole vocabulary, made once for all threads, as they sign under one seed. */
    private record SeededWeights(long seed, ShingleWeights weights) {}

    private final class SimHashSigner extends ShingleSigner {
        private final SimHash simHash;
        private final int values;

        SimHashSigner(int values, long seed) {
            super(shingling, seed);
            // For an exact judge only the bits of the bands: those of a shorter hash begin a longer one.
            int signed = verification == Verification.EXACT ? SimHash.widthFor(values) : SimHash.BITS_MAX;
            this.simHash = new SimHash(signed, weights(seed));
            this.values = values;
        }

        @Override
        SignedText sign(Shingles shingles, NormalizedBuffer normalized) {
            long[] signed = simHash.sign(shingles);
            return new SignedText(
                    SimHash.values(signed, values),
                    verification == Verification.EXACT ? ExactJudge.evidence(normalized) : evidence(signed));
        }
    }
}
