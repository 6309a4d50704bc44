package io.neardup.engine.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.text.BoilerplateFilter;
import io.neardup.engine.text.CommonSets;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.NaiveShingles;
import io.neardup.engine.text.ShingleLists;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FastSimilaritySketchTest {
    private static final int[] OF_MANY = {
        2100646698, -53898723, 1513898418, 469916311, -1165590895, 973268136, -1211527632, 195671984
    };
    private static final int[] OF_TWO = {
        -1429681902, -1301876477, -1314678564, -517087356, 644114695, 803958421, -1298126498, -1339525198
    };
    private static final int[] OF_ONE = {
        -1429681902, 1787097706, -1314678564, -11651856, -2123562426, 803958421, -320112021, -1339525198
    };
    private static final int SIZE = 130;

    /** Many repeats, such as of a text of one letter, are thrown once each. */
    @ParameterizedTest
    @ValueSource(ints = {2, 40})
    void shouldNotDependOnOrderOrRepeats(int times) {
        FastSimilaritySketch scheme = new FastSimilaritySketch(SIZE);
        for (int n : new int[] {1, 2, 7, 90, 700}) {
            long[] hashes = new SplittableRandom(n).longs(n).toArray();
            long[] backwards = IntStream.range(0, times * n)
                    .mapToLong(i -> hashes[(times * n - 1 - i) % n])
                    .toArray();
            assertThat(scheme.sign(ShingleLists.of(backwards))).isEqualTo(scheme.sign(ShingleLists.of(hashes)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 64, 128, 130, 255, 256})
    void shouldFillEveryPositionDifferentlyWhateverTheHash(int size) {
        FastSimilaritySketch scheme = new FastSimilaritySketch(size);
        for (long hash : new long[] {0x123456789ABCDEFL, 0, -1, 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThat(scheme.sign(ShingleLists.of(hash))).hasSize(size).doesNotHaveDuplicates();
        }
    }

    @Test
    void shouldKeepItsValues() {
        long[] hashes = new SplittableRandom(42).longs(1_000).toArray();

        assertThat(new FastSimilaritySketch(8).sign(ShingleLists.of(hashes))).containsExactly(OF_MANY);
        assertThat(new FastSimilaritySketch(8).sign(ShingleLists.of(hashes[0], hashes[1])))
                .containsExactly(OF_TWO);
        assertThat(new FastSimilaritySketch(8).sign(ShingleLists.of(hashes[0]))).containsExactly(OF_ONE);
    }

    /** Of so few shingles that further rounds fill some of the bins; the scheme is the same throughout. */
    @Test
    void shouldKeepItsValuesOfShortTexts() {
        FastSimilaritySketch scheme = new FastSimilaritySketch(BitSketch.VALUES_MIN);

        assertThat(IntStream.of(90, 431, 2_000, 431, 90)
                        .map(n -> Arrays.hashCode(scheme.sign(
                                ShingleLists.of(new SplittableRandom(n).longs(n).toArray())))))
                .containsExactly(174_764_365, -222_443_524, -1_129_710_536, -222_443_524, 174_764_365);
    }

    @Test
    void shouldNotSignWithoutShingles() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FastSimilaritySketch(SIZE).sign(new Shingles()))
                .withMessageContaining("expected at least 1");
    }

    // ---- without boilerplate

    private static final String SPEC = "char:9";
    private static final long SEED = 0x5EED;

    /** Signatures of too few values to tell that enough is left, texts too short for all bins, and long ones. */
    @ParameterizedTest
    @CsvSource({
        "10, 3000, 0.2", "130, 30, 0.2", "130, 300, 0.2", "130, 1000, 0.2", "130, 3000, 0", "130, 3000, 0.02",
        "130, 3000, 0.2", "130, 3000, 0.33", "130, 3000, 0.9", "130, 3000, 1", "256, 3000, 0.2", "130, 20000, 0.2"
    })
    void shouldSignAsIfTheCommonShinglesHadBeenLeftOutBefore(int size, int length, double share) {
        SplittableRandom random = new SplittableRandom(size * 31L + length);
        FastSimilaritySketch scheme = new FastSimilaritySketch(size);
        for (int i = 0; i < 10; i++) {
            String text = RandomTexts.bigText(length, random);
            Set<List<String>> common = NaiveShingles.of(SPEC, text).stream()
                    .filter(shingle -> random.nextDouble() < share)
                    .collect(Collectors.toSet());
            Shingling all = new Shingling(LetterCase.LOWER, SPEC);
            Shingling filtered = all.without(CommonSets.of(SPEC, common));
            BoilerplateFilter filter = filtered.boilerplateFilter(SEED).orElseThrow();
            Shingles left = ShingleLists.of(filtered.shingler(SEED), text);
            Shingles whole = ShingleLists.of(all.shingler(SEED), text);

            FastSimilaritySketch.Filtered signed = scheme.sign(whole, filter);

            assertThat(signed.signature()).isEqualTo(scheme.sign(left));
            double spread = Math.sqrt(share * (1 - share) / size);
            assertThat(signed.excluded() / (double) length)
                    .isEqualTo(left.excluded() / (double) length, within(5 * spread));
            Shingles few = ShingleLists.of(random.longs(size).toArray());
            assertThat(scheme.sign(few)).isEqualTo(new FastSimilaritySketch(size).sign(few));
        }
    }

    /** 27 shingles over and over, of which 19 are left. */
    @ParameterizedTest
    @ValueSource(ints = {4, 10, 20, 130})
    void shouldKeepATextWholeOfWhichTooLittleIsLeft(int size) {
        SplittableRandom random = new SplittableRandom(size);
        FastSimilaritySketch scheme = new FastSimilaritySketch(size);
        for (int i = 0; i < 10; i++) {
            String text = RandomTexts.bigText(27, random).repeat(50);
            Set<List<String>> common =
                    NaiveShingles.of(SPEC, text).stream().limit(8).collect(Collectors.toSet());
            Shingling all = new Shingling(LetterCase.LOWER, SPEC);
            Shingles whole = ShingleLists.of(all.shingler(SEED), text);

            FastSimilaritySketch.Filtered signed = scheme.sign(
                    whole,
                    all.without(CommonSets.of(SPEC, common))
                            .boilerplateFilter(SEED)
                            .orElseThrow());

            assertThat(signed.signature()).isEqualTo(scheme.sign(whole));
            assertThat(signed.excluded()).isZero();
        }
    }
}
