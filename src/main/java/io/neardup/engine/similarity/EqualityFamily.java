package io.neardup.engine.similarity;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.NormalizedBuffer;
import io.neardup.engine.text.NormalizedText;
import io.neardup.engine.text.SplitMix64;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Families to which two documents are equal or unlike, and nothing between: those of equal MD5 (RFC 1321) have
 * similarity 1, others 0. The signature has one value; the evidence is the 16 bytes of the MD5. The value depends on
 * the seed, so nobody can fill a bucket with unlike texts without knowing it.
 *
 * <p>Texts chosen to collide under MD5 are taken for equal. One writer must make both: no way is known to make a text
 * with the MD5 of a given one.
 */
public final class EqualityFamily implements Family {
    /** Version of signatures and evidence; an index built with another cannot be compared with. */
    public static final int VERSION = 1;

    private static final int MD5_BYTES = 16;

    /** One digester for each thread. */
    private final Supplier<Digester> digesters;

    private final boolean readsNormalizedText;
    private final Similarity equal;
    private final Similarity unlike;
    private final Map<String, String> identity;

    private EqualityFamily(
            Supplier<Digester> digesters,
            boolean readsNormalizedText,
            Similarity equal,
            Similarity unlike,
            Map<String, String> identity) {
        this.digesters = digesters;
        this.readsNormalizedText = readsNormalizedText;
        this.equal = equal;
        this.unlike = unlike;
        this.identity = identity;
    }

    /**
     * Texts of the same bytes. It is Apache Nutch's {@code MD5Signature}, with one deviation: Nutch takes the page's
     * address where there is no content; here such a text cannot be signed.
     */
    public static EqualityFamily ofBytes() {
        return new EqualityFamily(
                () -> EqualityFamily::md5Of,
                false,
                Similarity.EQUAL,
                Similarity.NONE,
                Map.of("signature.version", String.valueOf(VERSION), "exact.text", "RAW"));
    }

    /**
     * Texts of the same {@linkplain NormalizedText normalized form}, where white space and the like does not matter.
     */
    public static EqualityFamily ofNormalizedText(LetterCase letterCase) {
        Map<String, String> identity = Map.of(
                "signature.version", String.valueOf(VERSION),
                "exact.text", "NORMALIZED",
                "normalized-text.version", String.valueOf(NormalizedText.VERSION),
                "text.case", letterCase.toString());
        return new EqualityFamily(() -> normalizing(letterCase), true, Similarity.EQUAL, Similarity.NONE, identity);
    }

    private static Digester normalizing(LetterCase letterCase) {
        NormalizedBuffer normalized = new NormalizedBuffer(letterCase);
        return (md5, utf8, from, to) -> {
            normalized.set(utf8, from, to);
            return md5Of(md5, normalized.array(), 0, normalized.length());
        };
    }

    /**
     * Texts of the same frequent words, as Apache Nutch and Solr find them: those of equal {@link TextProfile}. It is
     * cheap, and coarse both ways. Short texts with little in common can be equal, and one frequent word more or less
     * makes long texts unlike. Anybody can write a text that has the profile of another.
     *
     * <p>Deviates where no token is left, as in a text of short words or of symbols. Here the raw bytes of such a text
     * are compared. Nutch and Solr take the MD5 of nothing, so that all such texts match each other.
     *
     * <p>The evidence of any other text is Nutch's signature of it. It is not what Solr's update processor stores: this
     * puts the name of each field into the profile, before the field.
     */
    public static EqualityFamily ofProfile() {
        Map<String, String> identity = Map.of(
                "signature.version", String.valueOf(VERSION),
                "textprofile.version", String.valueOf(TextProfile.VERSION));
        Digester digester = (md5, utf8, from, to) -> {
            byte[] words =
                    TextProfile.of(new String(utf8, from, to - from, UTF_8)).getBytes(UTF_8);
            return words.length == 0 ? md5Of(md5, utf8, from, to) : md5Of(md5, words, 0, words.length);
        };
        return new EqualityFamily(() -> digester, false, Similarity.of(1), Similarity.of(0), identity);
    }

    /** The MD5 of what is compared of a text. It may keep scratch buffers: one instance for one thread. */
    private interface Digester {
        byte[] digest(MessageDigest md5, byte[] utf8, int from, int to) throws UnsignableException;
    }

    /** @throws UnsignableException when there is no byte: empty texts would all match each other */
    private static byte[] md5Of(MessageDigest md5, byte[] bytes, int from, int to) throws UnsignableException {
        if (from == to) {
            throw new UnsignableException("Expected a text; found none, or white space alone");
        }
        md5.update(bytes, from, to - from);
        return md5.digest();
    }

    @Override
    public Map<String, String> identity() {
        return identity;
    }

    @Override
    public boolean readsNormalizedText() {
        return readsNormalizedText;
    }

    @Override
    public int valuesMax() {
        return 1;
    }

    @Override
    public double agreement(double similarity) {
        return similarity > 0 ? 1 : 0;
    }

    @Override
    public double defaultThreshold() {
        return 1;
    }

    @Override
    public double defaultUnrelated() {
        return 0;
    }

    @Override
    public TextSigner signer(int values, long seed) {
        Family.requireValues(values, valuesMax());
        return new Signer(seed);
    }

    private final class Signer implements TextSigner {
        private final long seed;
        private final Digester digester = digesters.get();
        private final MessageDigest md5;

        Signer(long seed) {
            this.seed = seed;
            try {
                this.md5 = MessageDigest.getInstance("MD5");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(
                        "This Java has no MD5: expected one that has, as the platform demands", e);
            }
        }

        @Override
        public SignedText sign(byte[] utf8, int from, int to) throws UnsignableException {
            return signed(digester.digest(md5, utf8, from, to));
        }

        @Override
        public SignedText signNormalized(byte[] utf8, int from, int to) throws UnsignableException {
            return readsNormalizedText
                    ? signed(md5Of(md5, utf8, from, to))
                    : TextSigner.super.signNormalized(utf8, from, to);
        }

        private SignedText signed(byte[] digest) {
            ByteBuffer halves = ByteBuffer.wrap(digest);
            long mixed = SplitMix64.mix(SplitMix64.mix(seed) ^ halves.getLong());
            int value = (int) SplitMix64.mix(mixed ^ halves.getLong());
            return new SignedText(new int[] {value}, Evidence.of(digest));
        }
    }

    @Override
    public SimilarityJudge judge(int values, long seed) {
        return (a, b) -> {
            Evidence.requireLength(a, b, MD5_BYTES);
            return Arrays.equals(a.bytes(), b.bytes()) ? equal : unlike;
        };
    }
}
