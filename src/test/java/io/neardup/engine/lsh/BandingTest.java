package io.neardup.engine.lsh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BandingTest {
    @Test
    void shouldGiveEqualKeysExactlyWhereABandAgrees() {
        Banding banding = new Banding(26, 5);
        int[] values = new SplittableRandom(1).ints(130).toArray();
        BandKeys keys = banding.keys(values);
        for (int changed = 0; changed < values.length; changed++) {
            int[] others = values.clone();
            others[changed] ^= 1 << (changed % 32);

            BandKeys otherKeys = banding.keys(others);

            for (int band = 0; band < 26; band++) {
                assertThat(otherKeys.key(band) == keys.key(band)).isEqualTo(band != changed / 5);
            }
        }
    }

    @Test
    void shouldTellBandsAndTheOrderOfRowsApart() {
        BandKeys keys = new Banding(26, 5).keys(new int[130]);
        assertThat(IntStream.range(0, 26).mapToLong(keys::key).distinct()).hasSize(26);
        Banding banding = new Banding(1, 3);
        assertThat(banding.keys(new int[] {1, 2, 3})).isNotEqualTo(banding.keys(new int[] {3, 2, 1}));
        assertThat(banding.keys(new int[] {0, 0, -1})).isNotEqualTo(banding.keys(new int[] {0, -1, 0}));
    }

    @Test
    void shouldLeaveSpareValuesUnused() {
        Banding banding = new Banding(5, 25);
        int[] values = new SplittableRandom(2).ints(128).toArray();
        int[] others = values.clone();
        others[125]++;

        assertThat(banding.keys(others)).isEqualTo(banding.keys(values)).hasSameHashCodeAs(banding.keys(values));
        assertThat(banding.hashes()).isEqualTo(125);
    }

    @Test
    void shouldKeepItsKeys() {
        BandKeys keys = new Banding(2, 3).keys(new int[] {1, -2, 3, 1, -2, 3});

        assertThat(keys).isEqualTo(BandKeys.owning(new long[] {0x2478F7CF738D8A31L, 0x9B5B48C55B86E289L}));
    }

    @Test
    void shouldRefuseWhatDoesNotFit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Banding(26, 5).keys(new int[129]))
                .withMessage("Signature of 129 values: expected at least 130 for 26 bands x 5 rows");
        assertThatIllegalArgumentException().isThrownBy(() -> new Banding(0, 5));
        assertThatIllegalArgumentException().isThrownBy(() -> new Banding(5, 0));
    }
}
