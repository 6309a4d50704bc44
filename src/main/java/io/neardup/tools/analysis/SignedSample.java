package io.neardup.tools.analysis;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Signing;
import io.neardup.config.Signing.Scopes;
import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.SimilarityJudge;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.engine.similarity.Verification;
import io.neardup.record.Document;
import java.util.ArrayList;
import java.util.List;

/** Documents as the service signs them, and how it verifies that two of them are similar. Not thread-safe. */
final class SignedSample {
    private final List<BandKeys> keys = new ArrayList<>();
    /** Empty where verification is exact. */
    private final List<Evidence> evidence = new ArrayList<>();

    private final SimilarityJudge judge;
    private final double threshold;

    SignedSample(List<Document> documents, NeardupConfig config, long seed) {
        // Pairs of all documents are counted beside it, so scopes are left aside here too.
        Signing signing = new Signing(config.family(), config.banding(), seed, Scopes.IGNORED);
        Signing.DocumentSigner signer = signing.signer();
        for (Document document : documents) {
            SignedDocument signed = sign(signer, document);
            keys.add(signed.keys());
            if (config.verification() == Verification.ESTIMATE) {
                evidence.add(signed.evidence());
            }
        }
        this.judge = signing.judge();
        this.threshold = config.threshold();
    }

    private static SignedDocument sign(Signing.DocumentSigner signer, Document document) {
        try {
            return signer.sign(document);
        } catch (UnsignableException e) {
            throw new IllegalStateException("a text that every set of shingles can be made of: " + e.getMessage(), e);
        }
    }

    List<BandKeys> keys() {
        return keys;
    }

    /** Whether candidates are judged by estimates; else by what their similarity is. */
    boolean isEstimating() {
        return !evidence.isEmpty();
    }

    /** Whether the estimate of two documents reaches the threshold. */
    boolean isVerified(int first, int second) {
        return judge.similarity(evidence.get(first), evidence.get(second)).value() >= threshold;
    }
}
