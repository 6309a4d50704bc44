package io.neardup.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SimilaritiesTest {

    @Test
    void shouldTellWhatAShareOfThePairsDoesNotExceed() {
        double[] values = new SplittableRandom(1).doubles(997).toArray();

        Similarities similarities = Similarities.of(values);

        for (double share : new double[] {0.001, 0.5, 0.9, 0.99, 0.999, 1}) {
            double quantile = similarities.quantile(share);
            assertThat(Arrays.stream(values).filter(value -> value <= quantile).count())
                    .isGreaterThanOrEqualTo((long) (share * values.length));
            assertThat(Arrays.stream(values).filter(value -> value < quantile).count())
                    .isLessThan((long) Math.ceil(share * values.length));
        }
        assertThat(similarities.quantile(1))
                .isEqualTo(Arrays.stream(values).max().orElseThrow());
    }

    @Test
    void shouldCountEveryPairInOneBin() {
        Similarities similarities = Similarities.of(new double[] {1, 0, 0.5, 0.499, 0.999});

        assertThat(similarities.histogram(2)).containsExactly(2, 3);
        assertThat(similarities.histogram(1)).containsExactly(5);
    }

    @Test
    void shouldAverageAFunctionOfTheSimilarity() {
        Similarities similarities = Similarities.of(new double[] {0.5, 0.1});

        assertThat(similarities.mean(similarity -> similarity * similarity)).isCloseTo(0.13, within(1e-12));
    }

    @Test
    void shouldHaveNothingToSayOfNoPairs() {
        Similarities none = Similarities.of(new double[0]);

        assertThat(none.quantile(0.5)).isZero();
        assertThat(none.mean(similarity -> 1)).isZero();
        assertThat(none.histogram(3)).containsExactly(0, 0, 0);
    }

    @Test
    void shouldRefuseWhatIsNoSimilarity() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Similarities.of(new double[] {0.5, 1.1}))
                .withMessageContaining("1.1");
        assertThatIllegalArgumentException().isThrownBy(() -> Similarities.of(new double[] {Double.NaN}));
    }
}
