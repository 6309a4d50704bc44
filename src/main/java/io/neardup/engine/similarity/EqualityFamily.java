package io.neardup.engine.similarity;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What families share to which two documents are equal or unlike, and nothing between. The signature has one value; the
 * evidence is the 16 bytes of an MD5. The value depends on the seed, so nobody can fill a bucket with unlike texts
 * without knowing it.
 *
 * <p>Texts chosen to collide under MD5 are taken for equal. One writer must make both: no way is known to make a text
 * with the MD5 of a given one.
 */
abstract class EqualityFamily implements Family {
    private final Similarity equal;
    private final Similarity unlike;

    EqualityFamily(Similarity equal, Similarity unlike) {
        this.equal = equal;
        this.unlike = unlike;
    }

    /**
     * The MD5 of what is compared of a document. Implementations may keep scratch buffers: one instance for one thread.
     */
    interface Digester {
        byte[] digest(byte[] utf8, int from, int to) throws UnsignableException;
    }

    /** A digester for one thread. */
    abstract Digester digester();

    /** One of texts in normalized form, where nothing else is read. */
    Digester normalizedDigester() {
        return (utf8, from, to) -> {
            throw new UnsupportedOperationException("expected a family that reads normalized texts, found another");
        };
    }

    @Override
    public final int valuesMax() {
        return 1;
    }

    @Override
    public final double agreement(double similarity) {
        return similarity > 0 ? 1 : 0;
    }

    @Override
    public final double usualThreshold() {
        return 1;
    }

    @Override
    public final double usualUnrelated() {
        return 0;
    }

    @Override
    public final TextSigner signer(int values, long seed) {
        Checks.values(values, valuesMax());
        return new EqualitySigner(digester(), normalizedDigester(), seed);
    }

    private record EqualitySigner(Digester digester, Digester ofNormalized, long seed) implements TextSigner {
        @Override
        public SignedText sign(byte[] utf8, int from, int to) throws UnsignableException {
            return signed(digester.digest(utf8, from, to));
        }

        @Override
        public SignedText signNormalized(byte[] utf8, int from, int to) throws UnsignableException {
            return signed(ofNormalized.digest(utf8, from, to));
        }

        private SignedText signed(byte[] md5) {
            return new SignedText(new int[] {value(md5, seed)}, Evidence.of(md5));
        }
    }

    private static int value(byte[] md5, long seed) {
        ByteBuffer halves = ByteBuffer.wrap(md5);
        return (int) SplitMix64.mix(SplitMix64.mix(SplitMix64.mix(seed) ^ halves.getLong()) ^ halves.getLong());
    }

    @Override
    public final SimilarityJudge judge(int values, long seed) {
        return (a, b) -> {
            Checks.evidence(a, b, Md5.BYTES);
            return Arrays.equals(a.bytes(), b.bytes()) ? equal : unlike;
        };
    }
}
