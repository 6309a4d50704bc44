package io.neardup.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.protocol.CoordinatorRules;
import io.neardup.engine.protocol.CoordinatorRules.StepBounds;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Family;
import io.neardup.engine.similarity.ScopedJudge;
import io.neardup.engine.similarity.SignedText;
import io.neardup.engine.similarity.SimilarityJudge;
import io.neardup.engine.similarity.TextSigner;
import io.neardup.engine.similarity.TextSigner.ShingleTotals;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.engine.text.Hash128;
import io.neardup.record.Document;
import io.neardup.record.RawText;
import java.nio.ByteBuffer;

/**
 * How documents are signed and judged under the settings of one service.
 *
 * @param seed secret; it shapes every hash
 */
public record Signing(Family family, Banding banding, long seed, Scopes scopes) {

    public enum Scopes {
        /** All documents are compared. */
        IGNORED,
        /** Documents are compared within their scopes only. */
        APART
    }

    public static Signing of(NeardupConfig config, long seed) {
        Scopes scopes = config.scope().isPresent() ? Scopes.APART : Scopes.IGNORED;
        return new Signing(config.family(), config.banding(), seed, scopes);
    }

    /** How many values a signature has: those that the bands take, the first of them, and what sketches need beyond. */
    public int values() {
        return family.sketchUse() == Family.SketchUse.NONE
                ? banding.hashes()
                : Math.max(banding.hashes(), Math.min(family.valuesMax(), BitSketch.VALUES_MIN));
    }

    /** A signer for one thread. */
    public DocumentSigner signer() {
        return new DocumentSigner(this, family.signer(values(), seed));
    }

    /** A judge for one thread, of the evidence that the signers make. */
    public SimilarityJudge judge() {
        SimilarityJudge judge = family.judge(values(), seed);
        return scopes == Scopes.APART ? new ScopedJudge(judge) : judge;
    }

    /**
     * The cut: on how many values sketches may differ. It loses one in 10,000 of the pairs that are just as similar as
     * they must be ({@link BitSketch#differencesMax}).
     */
    public int differencesMax(double threshold) {
        return family.sketchUse() == Family.SketchUse.CUT
                ? BitSketch.differencesMax(values(), family.agreement(threshold))
                : Integer.MAX_VALUE;
    }

    /** By what coordinators decide under the settings that this is made of. */
    public CoordinatorRules rules(NeardupConfig config, StepBounds bounds) {
        return new CoordinatorRules(
                config.threshold(),
                config.verifiedMax(),
                differencesMax(config.threshold()),
                config.retention(),
                config.versions(),
                bounds,
                config.writesVerdicts(),
                config.writesStories());
    }

    /**
     * The similarity that so many differences of two sketches make likely, 0 to 1: an estimate ({@link
     * BitSketch#agreement}). NaN where sketches do not tell.
     */
    public double similarityAt(int differences) {
        return family.sketchUse() == Family.SketchUse.CUT
                ? family.similarityAt(BitSketch.agreement(values(), differences))
                : Double.NaN;
    }

    /** The chance that two documents of a similarity from 0 to 1 share a bucket. */
    public double sharing(double similarity) {
        return banding.probability(family.agreement(similarity));
    }

    /**
     * The chance that two documents of a similarity from 0 to 1 are compared: that they share a bucket, and that
     * the cut leaves them, which at its threshold and above it does almost always.
     *
     * @param differencesMax the cut
     */
    public double comparing(double similarity, int differencesMax) {
        return sharing(similarity) * BitSketch.chanceWithin(values(), family.agreement(similarity), differencesMax);
    }

    /**
     * Whether documents are judged by the similarity that makes them share a bucket: not where the judge looks at an
     * estimate, which is made of the same values, or at containment, whose chance depends on their sizes.
     */
    public boolean judgesBySharing() {
        return family.sketchUse() == Family.SketchUse.CUT;
    }

    /** Without the seed, which is secret. */
    @Override
    public String toString() {
        return "Signing[" + family.identity() + ", " + banding + "]";
    }

    /** Signs documents. It keeps scratch buffers: one instance for one thread. */
    public static final class DocumentSigner {
        private static final byte[] NO_SCOPE = {};

        private final Signing signing;
        private final TextSigner signer;
        private final Hash128 hash128 = new Hash128();

        private DocumentSigner(Signing signing, TextSigner signer) {
            this.signing = signing;
            this.signer = signer;
        }

        /**
         * What the protocol knows of a document.
         *
         * @throws UnsignableException when the text is not of the form that the family compares
         */
        public SignedDocument sign(Document document) throws UnsignableException {
            RawText text = document.text();
            SignedText signed = signer.sign(text.array(), text.from(), text.to());
            byte[] scope = signing.scopes == Scopes.IGNORED ? NO_SCOPE : scopeHash(document.scope());
            return signed(document.id(), scope, signed);
        }

        /**
         * What the protocol knows of a document of another index, which keeps normalized texts, under the hash seed of
         * this one where there are scopes.
         *
         * @param evidence that it keeps
         * @throws UnsignableException when the text is not of the form that the family compares
         */
        public SignedDocument signKept(String id, Evidence evidence) throws UnsignableException {
            byte[] bytes = evidence.bytes();
            byte[] scope = signing.scopes == Scopes.IGNORED ? NO_SCOPE : ScopedJudge.scopeOf(evidence);
            return signed(id, scope, signer.signNormalized(bytes, scope.length, bytes.length));
        }

        /** @param scope its hash, {@link #NO_SCOPE} where there are none */
        private SignedDocument signed(String id, byte[] scope, SignedText signed) {
            BandKeys keys = signing.banding.keys(signed.values());
            BitSketch sketch = signing.family.sketchUse() == Family.SketchUse.NONE
                    ? BitSketch.NONE
                    : BitSketch.of(signed.values());
            if (scope.length == 0) {
                return new SignedDocument(id, keys, signed.evidence(), sketch);
            }
            return new SignedDocument(
                    id,
                    keys.within(ByteBuffer.wrap(scope).getLong()),
                    ScopedJudge.within(scope, signed.evidence()),
                    sketch);
        }

        /** The shingles of all documents so far; none where nothing is cut into shingles. */
        public ShingleTotals shingles() {
            return signer.shingles();
        }

        /** Hashed with the seed, so that nobody can choose scopes that share buckets. */
        private byte[] scopeHash(String scope) {
            byte[] secret =
                    ByteBuffer.allocate(Long.BYTES).putLong(signing.seed).array();
            return hash128.of(secret, scope.getBytes(UTF_8));
        }
    }
}
