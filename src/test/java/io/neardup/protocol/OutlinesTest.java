package io.neardup.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.sketch.Outline;
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
    void shouldForgetThoseThatNobodyAskedAboutForLongestWhereThereAreTooMany() {
        for (int document = 0; document < 15; document++) {
            outlines.put(document, new Sized(BYTES));
        }
        outlines.find(0);

        outlines.put(15, new Sized(BYTES));

        assertThat(outlines.has(0)).isTrue();
        assertThat(outlines.has(1)).isFalse();
        assertThat(outlines.has(15)).isTrue();
        assertThat(outlines.bytes()).isBetween(15 * BYTES, 16 * BYTES);
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

        assertThat(outlines.has(1)).isFalse();
        assertThat(outlines.bytes()).isZero();
    }
}
