package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Signing;
import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.similarity.Family;
import io.neardup.engine.similarity.SignedText;
import io.neardup.engine.similarity.Similarity;
import io.neardup.engine.similarity.TextSigner;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.engine.text.NormalizedText;
import io.neardup.engine.text.Overlap;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Two texts beside each other.
 *
 * @param similarity by the configured signature and measure, 0 to 1: what the threshold is compared with
 * @param shared distinct shingles of both
 * @param whole the Jaccard similarity of the whole texts, 0 to 1; null where no boilerplate file is set
 * @param leftOut the share of the distinct shingles of both that are common and do not count, 0 to 1; null where no
 *     boilerplate file is set
 * @param firstInSecond the share of the first's shingles that the second has too, 0 to 1
 * @param estimate of the similarity, from the share of equal values of the signatures; 0 where a text is blank
 * @param hashes values of a signature
 * @param bandsShared numbers of the bands, from 0, in which both are in one bucket
 * @param first the normalized text
 */
record TextComparison(
        String signature,
        double similarity,
        String shingle,
        double jaccard,
        int shared,
        int onlyInFirst,
        int onlyInSecond,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double whole,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double leftOut,
        double firstInSecond,
        double secondInFirst,
        double estimate,
        int hashes,
        int bands,
        List<Integer> bandsShared,
        double threshold,
        @JsonIgnore String first,
        @JsonIgnore String second) {

    /** What signatures say; nothing of a blank text, which the service does not take. */
    private record BySignature(double similarity, double estimate, List<Integer> bandsShared) {
        static final BySignature NOTHING = new BySignature(0, 0, List.of());
    }

    /** @throws UnsignableException when a text is not of the form that the signature compares */
    static TextComparison of(String first, String second, NeardupConfig config) throws UnsignableException {
        String a = NormalizedText.of(first, config.shingling().letterCase());
        String b = NormalizedText.of(second, config.shingling().letterCase());
        // Any seed will do, as nothing is kept; a fixed one makes two runs alike.
        long seed = config.hashSeed().orElse(0);
        Overlap overlap = overlap(a, b, config.shingling().shingler(seed));
        Optional<Overlap> whole = config.shingling().boilerplate() == null
                ? Optional.empty()
                : Optional.of(overlap(a, b, config.shingling().whole().shingler(seed)));
        BySignature signatures =
                a.isEmpty() || b.isEmpty() ? BySignature.NOTHING : bySignature(first, second, config, seed);
        return new TextComparison(
                config.signature().toString(),
                signatures.similarity,
                config.shingling().spec(),
                overlap.jaccard(),
                overlap.shared(),
                overlap.first() - overlap.shared(),
                overlap.second() - overlap.shared(),
                whole.map(Overlap::jaccard).orElse(null),
                whole.map(all -> leftOut(union(all), union(overlap))).orElse(null),
                overlap.ofFirst(),
                overlap.ofSecond(),
                signatures.estimate,
                Signing.of(config, seed).values(),
                config.banding().bands(),
                signatures.bandsShared,
                config.threshold(),
                a,
                b);
    }

    private static Overlap overlap(String a, String b, Shingler shingler) {
        Shingles shingles = new Shingles();
        shingler.shingle(a, shingles);
        ShingleSet setOfA = ShingleSet.of(shingles);
        shingler.shingle(b, shingles);
        return setOfA.overlap(ShingleSet.of(shingles));
    }

    private static int union(Overlap overlap) {
        return overlap.first() + overlap.second() - overlap.shared();
    }

    private static double leftOut(int all, int counting) {
        return all == 0 ? 0 : (all - counting) / (double) all;
    }

    private static BySignature bySignature(String first, String second, NeardupConfig config, long seed)
            throws UnsignableException {
        Family family = config.family();
        int values = Signing.of(config, seed).values();
        TextSigner signer = family.signer(values, seed);
        SignedText a = sign(signer, first);
        SignedText b = sign(signer, second);
        Similarity similarity = family.judge(values, seed).similarity(a.evidence(), b.evidence());
        return new BySignature(
                similarity.value(),
                family.similarityAt(shareOfEqual(a.values(), b.values())),
                sharedBands(config.banding().keys(a.values()), config.banding().keys(b.values())));
    }

    private static SignedText sign(TextSigner signer, String text) throws UnsignableException {
        byte[] utf8 = text.getBytes(UTF_8);
        return signer.sign(utf8, 0, utf8.length);
    }

    private static double shareOfEqual(int[] a, int[] b) {
        int equal = 0;
        for (int i = 0; i < a.length; i++) {
            equal += a[i] == b[i] ? 1 : 0;
        }
        return equal / (double) a.length;
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
