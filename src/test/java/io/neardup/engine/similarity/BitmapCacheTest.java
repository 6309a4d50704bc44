package io.neardup.engine.similarity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BitmapCacheTest {
    private static final long BYTES = 1 << 20;

    private final BitmapCache bitmaps = new BitmapCache();

    private record Sized(long bytes) implements BitmapFilter {
        @Override
        public boolean isBelow(double threshold, BitmapFilter other) {
            return false;
        }
    }

    @Test
    void shouldKeepThoseThatAreAskedAboutWhereThereAreTooMany() {
        for (int document = 0; document < 100; document++) {
            bitmaps.put(document, new Sized(BYTES));
            bitmaps.find(0);
            bitmaps.find(1);
        }

        assertThat(bitmaps.find(0)).isNotNull();
        assertThat(bitmaps.find(1)).isNotNull();
        assertThat(IntStream.range(0, 100).filter(document -> bitmaps.find(document) != null))
                .hasSize(15);
        assertThat(bitmaps.bytes()).isBetween(15 * BYTES, 16 * BYTES);
    }

    @Test
    void shouldWantThoseThatAreComparedAgainWhereThereIsNoRoom() {
        assertThat(bitmaps.isWanted(1_000)).isTrue();
        assertThat(bitmaps.isWanted(1_000)).isTrue();
        for (int document = 0; document < 100; document++) {
            bitmaps.put(document, new Sized(BYTES));
        }

        assertThat(bitmaps.isWanted(2_000)).isFalse();
        assertThat(bitmaps.isWanted(2_000)).isTrue();
        assertThat(bitmaps.isWanted(99)).isFalse();
    }

    /** Beside a map without a bound. */
    @Test
    void shouldFindWhatWasPutThereLast() {
        Random random = new Random(7);
        Map<Long, BitmapFilter> expected = new HashMap<>();
        for (int i = 0; i < 5_000; i++) {
            long document = random.nextInt(2_000) * (1L << random.nextInt(40));
            BitmapFilter bitmap = new Sized(1 + random.nextInt(100));
            bitmaps.put(document, bitmap);
            expected.put(document, bitmap);
        }

        expected.forEach(
                (document, bitmap) -> assertThat(bitmaps.find(document)).isSameAs(bitmap));
        assertThat(bitmaps.find(-1)).isNull();
        long bytes = expected.values().stream().mapToLong(BitmapFilter::bytes).sum();
        assertThat(bitmaps.bytes()).isBetween(bytes, bytes + 100L * expected.size());
    }

    @Test
    void shouldKeepNoneThatIsLargerThanAllOfThemMayBe() {
        bitmaps.put(1, new Sized(100 * BYTES));

        assertThat(bitmaps.find(1)).isNull();
        assertThat(bitmaps.bytes()).isZero();
    }
}
