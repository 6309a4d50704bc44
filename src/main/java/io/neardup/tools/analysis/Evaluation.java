package io.neardup.tools.analysis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What settings find among documents, and what there is to find. All of it counts pairs of documents, in no order and
 * with all documents kept. The service compares each document with those before it that are unique.
 *
 * @param documents that were compared
 * @param floor similarity below which pairs are not looked for
 * @param bins of all pairs at or above the floor
 * @param similar pairs at or above the threshold
 * @param found those of them that meet in a bucket
 * @param promise the share of them that should meet by the S-curve; NaN where there are none
 * @param candidates pairs that meet in a bucket
 * @param verified candidates that are duplicates by the configured verification
 * @param verifiedSimilar those of them that are at or above the threshold
 * @param bucketsFull how often a full bucket took a document no more
 * @param labels null where nobody said which pairs are duplicates
 */
public record Evaluation(
        int documents,
        double floor,
        List<Bin> bins,
        long similar,
        long found,
        double promise,
        long candidates,
        long verified,
        long verifiedSimilar,
        long bucketsFull,
        @Nullable LabelReport labels) {

    // Not the compact form: javac 17 leaves its parameters' annotations out of the class file, so null would be
    // refused.
    public Evaluation(
            int documents,
            double floor,
            List<Bin> bins,
            long similar,
            long found,
            double promise,
            long candidates,
            long verified,
            long verifiedSimilar,
            long bucketsFull,
            @Nullable LabelReport labels) {
        this.documents = documents;
        this.floor = floor;
        this.bins = List.copyOf(bins);
        this.similar = similar;
        this.found = found;
        this.promise = promise;
        this.candidates = candidates;
        this.verified = verified;
        this.verifiedSimilar = verifiedSimilar;
        this.bucketsFull = bucketsFull;
        this.labels = labels;
    }

    /** Of sharing a bucket: told are the candidates, wanted the pairs at or above the threshold. */
    public Score candidateScore() {
        return new Score(candidates, found, similar);
    }

    /** Of sharing a bucket and being verified. */
    public Score verifiedScore() {
        return new Score(verified, verifiedSimilar, similar);
    }
}
