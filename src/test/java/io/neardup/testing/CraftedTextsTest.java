package io.neardup.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.similarity.Measure;
import io.neardup.engine.similarity.MinHashFamily;
import io.neardup.engine.similarity.TextSigner;
import io.neardup.engine.similarity.Verification;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.Shingling;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a secret seed is for. */
class CraftedTextsTest {
    private static final Banding BANDING = new Banding(26, 5);
    private static final long SEED = 42;
    private static final int TEXTS = 1_000;

    private final CraftedTexts texts = new CraftedTexts(SEED, 9, BANDING.hashes(), BANDING.rows());

    @Test
    void shouldMeetInOneBucketUnderTheSeedTheyWereMadeFor() throws Exception {
        assertThat(keysOfFirstBand(SEED).stream().distinct().count()).isLessThan(TEXTS / 20);
    }

    @Test
    void shouldNotMeetUnderAnother() throws Exception {
        assertThat(keysOfFirstBand(SEED + 1)).doesNotHaveDuplicates();
    }

    private List<Long> keysOfFirstBand(long seed) throws Exception {
        TextSigner signer = new MinHashFamily(
                        new Shingling(LetterCase.LOWER, "char:9"), Measure.JACCARD, Verification.EXACT)
                .signer(BANDING.hashes(), seed);
        List<Long> keys = new ArrayList<>();
        for (int i = 0; i < TEXTS; i++) {
            byte[] text = texts.apply(i).getBytes(UTF_8);
            BandKeys bandKeys = BANDING.keys(signer.sign(text, 0, text.length).values());
            keys.add(bandKeys.key(0));
        }
        return keys;
    }
}
