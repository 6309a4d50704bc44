package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.similarity.Outline;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OutlinesTest {
    private static final long BYTES = 1 << 20;

    private final Outlines outlines = new Outlines();

    private record Sized(long bytes) implements Outline {
        @Override
        public boolean isBelow(double threshold, Outline other) {
            return false;
        }
    }

    @Test
    void shouldKeepThoseThatAreAskedAboutWhereThereAreTooMany() {
        for (int document = 0; document < 100; document++) {
            outlines.put(document, new Sized(BYTES));
            outlines.find(0);
            outlines.find(1);
        }

        assertThat(outlines.find(0)).isNotNull();
        assertThat(outlines.find(1)).isNotNull();
        assertThat(IntStream.range(0, 100).filter(document -> outlines.find(document) != null))
                .hasSize(15);
        assertThat(outlines.bytes()).isBetween(15 * BYTES, 16 * BYTES);
    }

    @Test
    void shouldWantThoseThatAreComparedAgainWhereThereIsNoRoom() {
        assertThat(outlines.isWanted(1_000)).isTrue();
        assertThat(outlines.isWanted(1_000)).isTrue();
        for (int document = 0; document < 100; document++) {
            outlines.put(document, new Sized(BYTES));
        }

        assertThat(outlines.isWanted(2_000)).isFalse();
        assertThat(outlines.isWanted(2_000)).isTrue();
        assertThat(outlines.isWanted(99)).isFalse();
    }

    /** Beside a map without a bound. */
    @Test
    void shouldFindWhatWasPutThereLast() {
        Random random = new Random(7);
        Map<Long, Outline> expected = new HashMap<>();
        for (int i = 0; i < 5_000; i++) {
            long document = random.nextInt(2_000) * (1L << random.nextInt(40));
            Outline outline = new Sized(1 + random.nextInt(100));
            outlines.put(document, outline);
            expected.put(document, outline);
        }

        expected.forEach(
                (document, outline) -> assertThat(outlines.find(document)).isSameAs(outline));
        assertThat(outlines.find(-1)).isNull();
    }

    @Test
    void shouldCountOneThatIsReplacedOnce() {
        outlines.put(1, new Sized(BYTES));
        outlines.put(1, new Sized(2 * BYTES));

        assertThat(outlines.bytes()).isBetween(2 * BYTES, 2 * BYTES + 1_000);
    }

    @Test
    void shouldKeepNoneThatIsLargerThanAllOfThemMayBe() {
        outlines.put(1, new Sized(100 * BYTES));

        assertThat(outlines.find(1)).isNull();
        assertThat(outlines.bytes()).isZero();
    }
}
