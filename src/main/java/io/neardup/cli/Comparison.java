package io.neardup.cli;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.neardup.config.NeardupConfig;
import io.neardup.lsh.BandKeys;
import io.neardup.sketch.FastSimilaritySketch;
import io.neardup.sketch.Signature;
import io.neardup.text.CanonicalText;
import io.neardup.text.ShingleSet;
import io.neardup.text.Shingler;
import io.neardup.text.Shingles;
import java.util.ArrayList;
import java.util.List;

/**
 * Two texts beside each other.
 *
 * @param shared distinct shingles of both
 * @param firstInSecond the share of the first's shingles that the second has too, 0 to 1
 * @param estimate of the Jaccard similarity, from signatures; 0 where a text has no shingles
 * @param hashes values of a signature
 * @param bandsShared numbers of the bands, from 0, in which both are in one bucket
 * @param first the canonical text
 */
record Comparison(
        String shingle,
        double jaccard,
        int shared,
        int onlyInFirst,
        int onlyInSecond,
        double firstInSecond,
        double secondInFirst,
        double estimate,
        int hashes,
        int bands,
        List<Integer> bandsShared,
        double threshold,
        @JsonIgnore String first,
        @JsonIgnore String second) {

    static Comparison of(String first, String second, NeardupConfig config) {
        String a = CanonicalText.of(first, config.letterCase());
        String b = CanonicalText.of(second, config.letterCase());
        // Any seed will do, as nothing is kept; a fixed one makes two runs alike.
        Shingler shingler = Shingler.of(config.shingle(), config.hashSeed().orElse(0));
        Shingles shinglesOfA = new Shingles();
        Shingles shinglesOfB = new Shingles();
        shingler.shingle(a, shinglesOfA);
        shingler.shingle(b, shinglesOfB);
        ShingleSet setOfA = ShingleSet.of(shinglesOfA);
        ShingleSet setOfB = ShingleSet.of(shinglesOfB);
        boolean comparable = setOfA.size() > 0 && setOfB.size() > 0;
        FastSimilaritySketch scheme = new FastSimilaritySketch(config.banding().hashes());
        Signature signatureOfA = comparable ? scheme.sign(shinglesOfA) : null;
        Signature signatureOfB = comparable ? scheme.sign(shinglesOfB) : null;
        int shared = setOfA.shared(setOfB);
        return new Comparison(
                config.shingle(),
                setOfA.jaccard(setOfB),
                shared,
                setOfA.size() - shared,
                setOfB.size() - shared,
                setOfA.containmentIn(setOfB),
                setOfB.containmentIn(setOfA),
                signatureOfA == null || signatureOfB == null ? 0 : signatureOfA.estimate(signatureOfB),
                scheme.size(),
                config.banding().bands(),
                signatureOfA == null || signatureOfB == null
                        ? List.of()
                        : sharedBands(
                                config.banding().keys(signatureOfA.values()),
                                config.banding().keys(signatureOfB.values())),
                config.threshold(),
                a,
                b);
    }

    private static List<Integer> sharedBands(BandKeys a, BandKeys b) {
        List<Integer> shared = new ArrayList<>();
        for (int band = 0; band < a.bands(); band++) {
            if (a.key(band) == b.key(band)) {
                shared.add(band);
            }
        }
        return shared;
    }
}
