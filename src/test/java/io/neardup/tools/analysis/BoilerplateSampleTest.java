package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.Shingling;
import io.neardup.record.Document;
import io.neardup.record.RawText;
import io.neardup.tools.analysis.BoilerplateSample.Drawing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BoilerplateSampleTest {

    @Test
    void shouldDrawFromTheWholeOfASource() {
        Drawing samples = samples(Long.MAX_VALUE);

        IntStream.range(0, 5_000).forEach(i -> samples.pass(document("north", String.valueOf(i))));
        samples.pass(document("", "of no source"));

        assertThat(samples.textsOfSources()).hasSize(1);
        assertThat(samples.notDrawn()).isZero();
        List<String> drawn = new ArrayList<>(samples.textsOfSources())
                .get(0).stream().map(ComparedText::text).toList();
        assertThat(drawn).hasSize(Drawing.SOURCE_TEXTS_MAX).doesNotHaveDuplicates();
        assertThat(drawn.stream().mapToInt(Integer::parseInt).average().orElseThrow())
                .isBetween(2_000.0, 3_000.0);
    }

    @Test
    void shouldDrawFromTheFirstSources() {
        Drawing samples = samples(Long.MAX_VALUE);

        IntStream.range(0, Drawing.SOURCES_MAX + 7).forEach(i -> samples.pass(document("s" + i, "text")));

        assertThat(samples.textsOfSources()).hasSize(Drawing.SOURCES_MAX);
        assertThat(samples.notDrawn()).isEqualTo(7);
    }

    /** Texts grow, so that those drawn later would take more room than those that they replace. */
    @Test
    void shouldHoldNoMoreTextThanItMay() {
        Drawing samples = samples(10_000);

        IntStream.range(0, 5_000).forEach(i -> samples.pass(document("north", "x".repeat(1 + i / 10))));

        long held = samples.textsOfSources().stream()
                .flatMap(List::stream)
                .mapToLong(ComparedText::heldBytes)
                .sum();
        assertThat(held).isBetween(9_000L, 10_700L);
        assertThat(samples.notDrawn()).isPositive();
    }

    private static Drawing samples(long bytesMax) {
        return new Drawing(new Shingling(LetterCase.LOWER, "char:9"), bytesMax);
    }

    private static Document document(String source, String text) {
        return new Document("id", RawText.of(text), source);
    }

    // ---- the reservoir of a source

    private static final int SEEDS = 2_000;

    @Test
    void shouldDrawTheSameFromTheSameSeedInTheOrderInWhichTheyPass() {
        List<Integer> drawn = drawn(20, 7, 20, 5);

        assertThat(drawn).hasSize(7).isSorted().doesNotHaveDuplicates();
        assertThat(drawn(20, 7, 20, 5)).isEqualTo(drawn);
        assertThat(drawn(20, 7, 20, 6)).isNotEqualTo(drawn);
    }

    @Test
    void shouldDrawEachWithTheSameChance() {
        assertThat(counts(5, 20)).allSatisfy(count -> assertThat(count).isBetween(500 - margin(), 500 + margin()));
        assertThat(counts(20, 5)).as("where the size is the bound").allSatisfy(count -> assertThat(count)
                .isBetween(500 - margin(), 500 + margin()));
    }

    @Test
    void shouldHoldNoMoreThanTheSizeAllows() {
        Reservoir<Integer> reservoir = new Reservoir<>(100, 1_000, size -> size);
        for (int size = 1; size <= 500; size++) {
            int passing = size;
            reservoir.offer(Reservoir.lot(passing, 1), () -> passing);
            assertThat(reservoir.size())
                    .isLessThanOrEqualTo(1_000)
                    .isEqualTo(reservoir.drawn().stream()
                            .mapToInt(Integer::intValue)
                            .sum());
        }
        assertThat(reservoir.drawn()).hasSizeBetween(2, 20);
    }

    @Test
    void shouldHoldOneHoweverLarge() {
        Reservoir<Integer> reservoir = new Reservoir<>(100, 10, size -> size);

        IntStream.range(0, 5).forEach(i -> reservoir.offer(i, () -> 11));

        assertThat(reservoir.drawn()).containsExactly(11);
        assertThat(reservoir.seen()).isEqualTo(5);
    }

    /** How often each of 20 was drawn, the chance of which is 5 / 20. */
    private static List<Integer> counts(int countMax, long sizeMax) {
        int[] counts = new int[20];
        for (int seed = 0; seed < SEEDS; seed++) {
            drawn(20, countMax, sizeMax, seed).forEach(number -> counts[number]++);
        }
        return Arrays.stream(counts).boxed().toList();
    }

    /** 4.5 standard deviations of a binomial. */
    private static int margin() {
        return (int) (4.5 * Math.sqrt(SEEDS * 0.25 * 0.75));
    }

    private static List<Integer> drawn(int passing, int countMax, long sizeMax, long seed) {
        Reservoir<Integer> reservoir = new Reservoir<>(countMax, sizeMax, one -> 1);
        SplittableRandom random = new SplittableRandom(seed);
        IntStream.range(0, passing).forEach(number -> reservoir.offer(random.nextLong() >>> 1, () -> number));
        return reservoir.drawn();
    }
}
