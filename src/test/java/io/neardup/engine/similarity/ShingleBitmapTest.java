package io.neardup.engine.similarity;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.text.Overlap;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ShingleBitmapTest {
    private final Random random = new Random(1);

    /** Two sets of hashes, and how many both have. */
    @SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
    private record Pair(long[] first, long[] second, int shared) {
        double similarity(Measure measure) {
            return measure.of(new Overlap(first.length, second.length, shared)).value();
        }

        boolean isBelow(double threshold, Measure measure) {
            ShingleBitmap a = ShingleBitmap.of(measure, first, first.length);
            ShingleBitmap b = ShingleBitmap.of(measure, second, second.length);
            boolean below = a.isBelow(threshold, b);
            assertThat(b.isBelow(threshold, a)).isEqualTo(below);
            return below;
        }
    }

    private Pair pair(int first, int second, int shared) {
        long[] hashes = random.longs(first + second - shared).toArray();
        long[] both = Arrays.copyOf(hashes, shared);
        return new Pair(
                Arrays.copyOf(hashes, first),
                LongStream.concat(Arrays.stream(both), Arrays.stream(hashes, first, hashes.length))
                        .toArray(),
                shared);
    }

    @ParameterizedTest
    @EnumSource
    void shouldNeverRuleOutWhatReachesTheThreshold(Measure measure) {
        for (int i = 0; i < 20_000; i++) {
            int first = 1 + random.nextInt(i % 2 == 0 ? 20 : 300);
            int second = 1 + random.nextInt(i % 2 == 0 ? 20 : 300);
            Pair pair = pair(first, second, random.nextInt(Math.min(first, second) + 1));

            assertThat(pair.isBelow(pair.similarity(measure), measure)).isFalse();
        }
    }

    @Test
    void shouldNeverRuleOutWhatReachesTheThresholdWhereHashesFallOnTheSameBits() {
        long[] alike = LongStream.range(0, 500).map(i -> i << 40).toArray();
        Pair pair = new Pair(alike, alike, alike.length);

        assertThat(pair.isBelow(1, Measure.JACCARD)).isFalse();
    }

    @Test
    void shouldRuleOutBySizeAlone() {
        assertThat(pair(1_000, 690, 690).isBelow(0.7, Measure.JACCARD)).isTrue();
        assertThat(pair(1_000, 710, 710).isBelow(0.7, Measure.JACCARD)).isFalse();
        assertThat(pair(1_000, 69, 69).isBelow(0.7, Measure.CONTAINMENT)).isFalse();
    }

    /** Of 1,000 shingles in 8,192 bits and 1,020 in as many; of 1,200 in twice as many. */
    @ParameterizedTest
    @CsvSource({"1020, 0.58", "1200, 0.58"})
    void shouldRuleOutMostOfWhatIsBelowTheThresholdByATenth(int second, double similarity) {
        int shared = (int) (similarity / (1 + similarity) * (1_000 + second));

        long ruledOut = IntStream.range(0, 200)
                .filter(i -> pair(1_000, second, shared).isBelow(0.7, Measure.JACCARD))
                .count();

        assertThat(ruledOut).isGreaterThan(190);
    }

    /** Beside a search from 0 on. */
    @ParameterizedTest
    @EnumSource
    void shouldTellTheLeastThatSetsMustShare(Measure measure) {
        for (int i = 0; i < 20_000; i++) {
            int first = random.nextInt(60);
            int second = random.nextInt(60);
            double threshold = (1 + random.nextInt(100)) / 100.0;
            int shared = 0;
            while (shared <= Math.min(first, second)
                    && measure.of(new Overlap(first, second, shared)).value() < threshold) {
                shared++;
            }
            assertThat(measure.sharedMin(threshold, first, second)).isEqualTo(shared);
        }
    }
}
