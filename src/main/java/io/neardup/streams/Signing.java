package io.neardup.streams;

import io.neardup.document.Document;
import io.neardup.document.RawText;
import io.neardup.family.Family;
import io.neardup.family.Signed;
import io.neardup.family.Signer;
import io.neardup.family.UnsignableException;
import io.neardup.lsh.Banding;
import io.neardup.protocol.SignedDocument;
import io.neardup.sketch.SimilarityJudge;

/**
 * How this service signs and judges.
 *
 * @param seed secret; it shapes every hash
 */
public record Signing(Family family, Banding banding, long seed) {

    /** A signer for one thread. */
    public DocumentSigner signer() {
        return new DocumentSigner(banding, family.signer(banding.hashes(), seed));
    }

    /** A judge for one thread, of the evidence that the signers make. */
    public SimilarityJudge judge() {
        return family.judge(banding.hashes(), seed);
    }

    /** The secret is left out. */
    @Override
    public String toString() {
        return "Signing[" + family.identity() + ", " + banding + "]";
    }

    /** Keeps scratch buffers: one instance for one thread. */
    public static final class DocumentSigner {
        private final Banding banding;
        private final Signer signer;

        private DocumentSigner(Banding banding, Signer signer) {
            this.banding = banding;
            this.signer = signer;
        }

        /**
         * What the protocol knows of a document.
         *
         * @throws UnsignableException when the text is not of the form that the family compares
         */
        public SignedDocument sign(Document document) throws UnsignableException {
            RawText text = document.text();
            Signed signed = signer.sign(text.array(), text.from(), text.to());
            return new SignedDocument(document.id(), banding.keys(signed.values()), signed.evidence());
        }
    }
}
