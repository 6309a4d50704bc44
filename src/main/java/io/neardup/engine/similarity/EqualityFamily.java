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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Families to which two documents are equal or unlike, and nothing between: those of equal MD5 (RFC 1321) have
 * similarity 1, others 0. The signature has one value; the evidence is the 16 bytes of the MD5. The value depends on
 * the seed, so nobody can fill a bucket with unlike texts without knowing it. It has 32 bits: of a billion originals
 * 0.23 unlike ones are in the bucket of a text on average. The evidence tells them apart; {@link #agreement} leaves
 * them out.
 *
 * <p>Texts chosen to collide under MD5 are taken for equal. One writer must make both: no way is known to make a text
 * with the MD5 of a given one.
 */
public final class EqualityFamily implements Family {
    /** Version of signatures and evidence; an index built with another cannot be compared with. */
    public static final int VERSION = 1;

    private static final int MD5_BYTES = 16;

    private enum Compared {
        BYTES,
        NORMALIZED_TEXT,
        PROFILE
    }

    private final Compared compared;
    /** Of normalized texts; null where others are compared. */
    private final @Nullable LetterCase letterCase;

    private final Map<String, String> identity;

    private EqualityFamily(Compared compared, @Nullable LetterCase letterCase, Map<String, String> identity) {
        this.compared = compared;
        this.letterCase = letterCase;
        this.identity = identity;
    }

    /**
     * Texts of the same bytes. It is Apache Nutch's {@code MD5Signature}, with one deviation: Nutch takes the page's
     * address where there is no content; here such a text cannot be signed.
     */
    public static EqualityFamily ofBytes() {
        return new EqualityFamily(
                Compared.BYTES, null, Map.of("signature.version", String.valueOf(VERSION), "exact.text", "RAW"));
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
        return new EqualityFamily(Compared.NORMALIZED_TEXT, letterCase, identity);
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
        return new EqualityFamily(Compared.PROFILE, null, identity);
    }

    @Override
    public Map<String, String> identity() {
        return identity;
    }

    @Override
    public boolean readsNormalizedText() {
        return compared == Compared.NORMALIZED_TEXT;
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
        /** Null where texts are compared that are not normalized. */
        private final @Nullable NormalizedBuffer normalized =
                letterCase == null ? null : new NormalizedBuffer(letterCase);

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
            return switch (compared) {
                case BYTES -> signed(utf8, from, to);
                case NORMALIZED_TEXT -> {
                    NormalizedBuffer buffer = Objects.requireNonNull(normalized);
                    buffer.set(utf8, from, to);
                    yield signed(buffer.array(), 0, buffer.length());
                }
                case PROFILE -> {
                    byte[] words = TextProfile.of(new String(utf8, from, to - from, UTF_8))
                            .getBytes(UTF_8);
                    yield words.length == 0 ? signed(utf8, from, to) : signed(words, 0, words.length);
                }
            };
        }

        @Override
        public SignedText signNormalized(byte[] utf8, int from, int to) throws UnsignableException {
            return readsNormalizedText() ? signed(utf8, from, to) : TextSigner.super.signNormalized(utf8, from, to);
        }

        /** @throws UnsignableException when there is no byte: empty texts would all match each other */
        private SignedText signed(byte[] bytes, int from, int to) throws UnsignableException {
            if (from == to) {
                throw new UnsignableException("Expected a text; found none, or white space alone");
            }
            md5.update(bytes, from, to - from);
            byte[] digest = md5.digest();
            ByteBuffer halves = ByteBuffer.wrap(digest);
            long mixed = SplitMix64.mix(SplitMix64.mix(seed) ^ halves.getLong());
            int value = (int) SplitMix64.mix(mixed ^ halves.getLong());
            return new SignedText(new int[] {value}, Evidence.of(digest));
        }
    }

    @Override
    public SimilarityJudge judge(int values, long seed) {
        boolean knowsShares = compared != Compared.PROFILE;
        Similarity equal = knowsShares ? Similarity.EQUAL : Similarity.of(1);
        Similarity unlike = knowsShares ? Similarity.NONE : Similarity.of(0);
        return (a, b) -> {
            Evidence.requireLength(a, b, MD5_BYTES);
            return Arrays.equals(a.bytes(), b.bytes()) ? equal : unlike;
        };
    }
}
