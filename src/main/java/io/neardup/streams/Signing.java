package io.neardup.streams;

import io.neardup.config.Verification;
import io.neardup.document.Document;
import io.neardup.document.RawText;
import io.neardup.lsh.Banding;
import io.neardup.protocol.SignedDocument;
import io.neardup.sketch.EstimatedJaccard;
import io.neardup.sketch.Evidence;
import io.neardup.sketch.ExactJaccard;
import io.neardup.sketch.FastSimilaritySketch;
import io.neardup.sketch.Signature;
import io.neardup.sketch.SignatureScheme;
import io.neardup.sketch.SimilarityJudge;
import io.neardup.text.CanonicalBuffer;
import io.neardup.text.LetterCase;
import io.neardup.text.Shingler;
import io.neardup.text.Shingles;

/**
 * How this service signs and judges: canonical text, shingles, signature, band keys, evidence.
 *
 * @param seed secret; it shapes every shingle hash
 */
public record Signing(LetterCase letterCase, String shingle, Banding banding, Verification verification, long seed) {

    /** A signer for one thread. */
    public Signer signer() {
        return new Signer(this);
    }

    /** A judge for one thread, of the evidence that the signers make. */
    public SimilarityJudge judge() {
        return verification == Verification.EXACT
                ? new ExactJaccard(Shingler.of(shingle, seed))
                : new EstimatedJaccard();
    }

    /** The secret is left out. */
    @Override
    public String toString() {
        return "Signing[" + letterCase + ", " + shingle + ", " + banding + ", " + verification + "]";
    }

    /** Keeps scratch buffers: one instance for one thread. */
    public static final class Signer {
        private final Signing signing;
        private final Shingler shingler;
        private final SignatureScheme scheme;
        private final CanonicalBuffer canonical;
        private final Shingles shingles = new Shingles();

        private Signer(Signing signing) {
            this.signing = signing;
            this.canonical = new CanonicalBuffer(signing.letterCase);
            this.shingler = Shingler.of(signing.shingle, signing.seed);
            this.scheme = new FastSimilaritySketch(signing.banding.hashes());
        }

        public SignedDocument sign(Document document) {
            RawText text = document.text();
            canonical.set(text.array(), text.from(), text.to());
            shingler.shingle(canonical.array(), canonical.length(), shingles);
            Signature signature = scheme.sign(shingles);
            Evidence evidence = signing.verification == Verification.EXACT
                    ? ExactJaccard.evidence(canonical)
                    : EstimatedJaccard.evidence(signature);
            return new SignedDocument(document.id(), signing.banding.keys(signature.values()), evidence);
        }
    }
}
