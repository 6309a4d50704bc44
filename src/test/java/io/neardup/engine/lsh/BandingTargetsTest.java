package io.neardup.engine.lsh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BandingTargetsTest {

    @Test
    void shouldFindTheCheapestOfTheSourcesExampleAndComeNearestWhereNothingFindsEnough() {
        BandingTargets targets = new BandingTargets(0.5, 0.99, 0.05, 0.001);
        assertThat(targets.cheapestWithin(128)).isEmpty();
        assertThat(targets.cheapest()).contains(new Banding(72, 4));
        assertThat(targets.bestWithin(128)).isEqualTo(new Banding(35, 3));
        assertThat(new BandingTargets(0.1, 0.99, 0.01, 0.5).bestWithin(10)).isEqualTo(new Banding(10, 1));
    }

    @Test
    void shouldFindWhatTryingAllFinds() {
        SplittableRandom random = new SplittableRandom(7);
        int met = 0;
        for (int i = 0; i < 200; i++) {
            double find = 0.3 + 0.7 * random.nextDouble();
            BandingTargets targets = new BandingTargets(
                    find,
                    0.5 + 0.49 * random.nextDouble(),
                    find * random.nextDouble(),
                    0.3 * random.nextDouble() + 1e-6);
            Optional<Banding> cheapest = targets.cheapestWithin(120);

            assertThat(cheapest.map(Banding::hashes)).isEqualTo(fewestHashes(targets, 120));
            cheapest.ifPresent(banding -> assertThat(areMet(targets, banding)).isTrue());
            met += cheapest.isPresent() ? 1 : 0;
        }
        assertThat(met).isBetween(50, 199);
    }

    private static boolean areMet(BandingTargets targets, Banding banding) {
        return banding.probability(targets.findSimilarity()) >= targets.findProbability()
                && banding.probability(targets.rejectSimilarity()) <= targets.rejectProbability();
    }

    private static Optional<Integer> fewestHashes(BandingTargets targets, int hashesMax) {
        return IntStream.rangeClosed(1, hashesMax)
                .filter(hashes -> IntStream.rangeClosed(1, hashes)
                        .anyMatch(rows -> hashes % rows == 0 && areMet(targets, new Banding(hashes / rows, rows))))
                .boxed()
                .findFirst();
    }

    @Test
    void shouldRefuseTargetsThatCannotBe() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BandingTargets(0.5, 0.99, 0.6, 0.001))
                .withMessage("similarity to reject 0.6: expected at least 0 and below the similarity to find, 0.5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BandingTargets(0.5, 1, 0.05, 0.001))
                .withMessageContaining("probability to find 1.0");
    }
}
