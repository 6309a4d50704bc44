package io.neardup.engine.lsh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BandingSolverTest {
    private static final long INDEX = 10_000_000;

    @Test
    void shouldSolveTheDefaults() {
        Banding banding = BandingSolver.solve(0.7, 0.99, INDEX, 0.02, 256);

        assertThat(banding).isEqualTo(new Banding(26, 5));
        assertThat(banding.probability(0.7)).isEqualTo(0.9916, within(5e-5));
        assertThat(BandingSolver.falseCandidates(banding, INDEX, 0.02)).isEqualTo(0.832, within(5e-4));
    }

    @ParameterizedTest
    @CsvSource({
        "0.7,0.99,10000000,0.02,256", "0.8,0.99,10000000,0.05,256", "0.5,0.95,1000000,0.02,256",
        "0.9,0.999,1000000000,0.1,256", "0.7,0.9,1,0.02,128", "0.3,0.99,10000000,0.1,256",
        "1,0.99,10000000,0.02,256", "0.95,0.5,1000,0,1", "0.05,0.99,10,0.01,256"
    })
    void shouldFindTheFewestHashesThatMeetTheTargets(
            double threshold, double recall, long index, double unrelated, int hashesMax) {
        Banding banding = BandingSolver.solve(threshold, recall, index, unrelated, hashesMax);

        assertThat(banding.hashes()).isLessThanOrEqualTo(hashesMax);
        assertThat(banding.probability(threshold)).isGreaterThanOrEqualTo(recall - 1e-9);
        double falseCandidates = BandingSolver.falseCandidates(banding, index, unrelated);
        boolean enough = falseCandidates <= BandingSolver.FALSE_CANDIDATES_MAX;
        for (int rows = 1; rows <= hashesMax; rows++) {
            for (int bands = 1; bands * rows <= hashesMax; bands++) {
                Banding other = new Banding(bands, rows);
                double othersFalse = BandingSolver.falseCandidates(other, index, unrelated);
                boolean reaches = other.probability(threshold) >= recall + 1e-9;
                if (reaches && enough && othersFalse <= BandingSolver.FALSE_CANDIDATES_MAX) {
                    assertThat(banding.hashes()).isLessThanOrEqualTo(other.hashes());
                } else if (reaches && !enough) {
                    assertThat(falseCandidates).isLessThanOrEqualTo(othersFalse);
                }
            }
        }
    }

    @Test
    void shouldNotAddABandForARoundingError() {
        assertThat(BandingSolver.solve(0.5, 0.75, 1, 0.1, 256)).isEqualTo(new Banding(2, 1));
        assertThat(BandingSolver.solve(0.1, 0.19, 1, 0.05, 256)).isEqualTo(new Banding(2, 1));
    }

    @Test
    void shouldNameTheRecallThatCanBeReached() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BandingSolver.solve(0.01, 0.99, INDEX, 0.001, 128))
                .withMessage(
                        "recall 0.99 at threshold 0.01 cannot be reached with 128 hashes: expected a recall of at most"
                                + " 0.7237");
    }

    @ParameterizedTest
    @CsvSource({
        "0,0.99,10,0.02,256,threshold 0.0",
        "1.1,0.99,10,0.02,256,threshold 1.1",
        "NaN,0.99,10,0.02,256,threshold NaN",
        "0.7,1,10,0.02,256,recall 1.0",
        "0.7,0,10,0.02,256,recall 0.0",
        "0.7,0.9,0,0.02,256,index size 0",
        "0.7,0.9,10,0.7,256,similarity of unrelated documents 0.7",
        "0.7,0.9,10,-1,256,similarity of unrelated documents -1.0",
        "0.7,0.9,10,0.02,0,hashes 0",
    })
    void shouldRefuseArgumentsOutOfRange(
            double threshold, double recall, long index, double unrelated, int hashesMax, String named) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BandingSolver.solve(threshold, recall, index, unrelated, hashesMax))
                .withMessageContaining(named + ", expected");
    }
}
