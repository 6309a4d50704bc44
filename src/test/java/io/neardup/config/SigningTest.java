package io.neardup.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.lsh.Banding;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.ExactJudge;
import io.neardup.engine.similarity.FastSimilaritySketch;
import io.neardup.engine.similarity.Measure;
import io.neardup.engine.similarity.MinHashFamily;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.engine.similarity.Verification;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.NormalizedText;
import io.neardup.engine.text.ShingleLists;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;
import io.neardup.record.Document;
import io.neardup.record.RawText;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SigningTest {
    private static final long SEED = 0x5EED;
    private static final Banding BANDING = new Banding(25, 5);
    private static final String[] PIECES = {
        "The ", "cat", " SAT", "\n", "  ", "\u00A0", "é", "E\u0301", "Σ", "İ", "漢字", "😀", "—", "x", "news of the day "
    };

    /** Signing bytes takes other ways than signing Strings, and has the same outcome. */
    @ParameterizedTest
    @CsvSource({"char:9,EXACT", "char:3,ESTIMATE", "word:3,EXACT"})
    void shouldSignAsDefined(String shingle, Verification verification) throws UnsignableException {
        SplittableRandom random = new SplittableRandom(shingle.hashCode());
        MinHashFamily family =
                new MinHashFamily(new Shingling(LetterCase.LOWER, shingle), Measure.JACCARD, verification);
        Signing.DocumentSigner signer = new Signing(family, BANDING, SEED, Signing.Scopes.IGNORED).signer();
        for (int i = 0; i < 3_000; i++) {
            StringBuilder text = new StringBuilder("x");
            int kinds = 1 + random.nextInt(PIECES.length);
            for (int pieces = random.nextInt(1 << random.nextInt(8)); pieces > 0; pieces--) {
                text.append(PIECES[PIECES.length - 1 - random.nextInt(kinds)]);
            }

            SignedDocument signed = signer.sign(new Document("d", RawText.of(text.toString()), ""));

            assertThat(signed).isEqualTo(defined(shingle, verification, text.toString()));
        }
    }

    private static SignedDocument defined(String shingle, Verification verification, String text) {
        String normalized = NormalizedText.of(text);
        Shingles shingles = ShingleLists.of(Shingler.of(shingle, SEED), normalized);
        int values = verification == Verification.EXACT ? BitSketch.VALUES_MIN : BANDING.hashes();
        int[] signature = new FastSimilaritySketch(values).sign(shingles);
        return new SignedDocument(
                "d",
                BANDING.keys(signature),
                verification == Verification.EXACT
                        ? ExactJudge.evidence(normalized)
                        : estimates(ShingleSet.of(shingles).size(), signature),
                verification == Verification.EXACT ? BitSketch.of(signature) : BitSketch.NONE);
    }

    private static Evidence estimates(int distinctShingles, int[] signature) {
        ByteBuffer bytes = ByteBuffer.allocate(4 + 4 * signature.length).putInt(distinctShingles);
        IntStream.of(signature).forEach(bytes::putInt);
        return Evidence.of(bytes.array());
    }
}
