package io.neardup.engine.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SketchTableTest {
    private static final int VALUES = BitSketch.VALUES_MIN;

    private final SketchTable table = new SketchTable(Integer.MAX_VALUE);

    private static BitSketch sketch(Random random) {
        return BitSketch.of(random.ints(VALUES).toArray());
    }

    private int differences(long number, BitSketch other) {
        return table.differences(new long[] {number}, other)[0];
    }

    @Test
    void shouldHoldWhatAMapWouldHoldUnderRandomOperations() {
        Random random = new Random(1);
        Map<Long, BitSketch> expected = new HashMap<>();
        BitSketch other = sketch(random);
        for (int i = 0; i < 100_000; i++) {
            // Dense numbers and such that lie far apart, in phases that grow and shrink.
            long number = (long) random.nextInt(6_000) << (random.nextBoolean() ? 0 : 30);
            boolean grows = i / 10_000 % 2 == 0;
            if (random.nextInt(4) < (grows ? 3 : 1)) {
                BitSketch sketch = sketch(random);
                table.put(number, sketch);
                expected.put(number, sketch);
            } else {
                table.remove(number);
                expected.remove(number);
            }
            long asked = random.nextInt(6_000);
            BitSketch known = expected.get(asked);
            assertThat(differences(asked, other))
                    .isEqualTo(known == null ? SketchTable.UNKNOWN : known.differences(other));
            assertThat(table.size()).isEqualTo(expected.size());
        }
        expected.forEach(
                (number, sketch) -> assertThat(differences(number, other)).isEqualTo(sketch.differences(other)));
    }

    @Test
    void shouldUseSlotsAgain() {
        Random random = new Random(2);
        for (int i = 0; i < 10_000; i++) {
            table.put(i, sketch(random));
        }
        long bytes = table.bytes();

        for (int i = 10_000; i < 200_000; i++) {
            table.remove(i - 10_000);
            table.put(i, sketch(random));
        }

        assertThat(table.size()).isEqualTo(10_000);
        assertThat(table.bytes()).isEqualTo(bytes);
    }

    @Test
    void shouldKeepThoseAtTheBoundThatWereLookedForOfLate() {
        Random random = new Random(4);
        SketchTable bounded = new SketchTable(1_000);
        Map<Long, BitSketch> expected = new HashMap<>();
        BitSketch other = sketch(random);
        long[] often = LongStream.range(0, 100).toArray();
        for (long number = 0; number < 50_000; number++) {
            BitSketch sketch = sketch(random);
            bounded.put(number, sketch);
            expected.put(number, sketch);
            if (random.nextInt(100) == 0) {
                bounded.remove(number);
                expected.remove(number);
            }
            bounded.differences(often, other);
            // Room is made for one.
            assertThat(bounded.size()).isBetween(number < 2_000 ? 0 : 900, 1_000);
        }

        long[] all = LongStream.range(0, 50_000).toArray();
        int[] found = bounded.differences(all, other);

        assertThat(IntStream.of(found).filter(differences -> differences != SketchTable.UNKNOWN))
                .hasSize(bounded.size());
        for (int number = 0; number < found.length; number++) {
            BitSketch known = expected.get((long) number);
            if (known == null) {
                assertThat(found[number]).isEqualTo(SketchTable.UNKNOWN);
            } else if (number < often.length) {
                assertThat(found[number]).isEqualTo(known.differences(other));
            } else if (found[number] != SketchTable.UNKNOWN) {
                assertThat(found[number]).isEqualTo(known.differences(other));
            }
        }
    }

    @Test
    void shouldTakeFewBytesASketch() {
        Random random = new Random(3);
        List<Long> bytesEach = new ArrayList<>();
        for (int i = 1; i <= 100_000; i++) {
            table.put(i, sketch(random));
            if (i >= 50_000) {
                bytesEach.add(table.bytes() / i);
            }
        }

        assertThat(bytesEach).allSatisfy(bytes -> assertThat(bytes).isBetween(124L, 139L));
    }

    @Test
    void shouldRefuseASketchOfAnotherSize() {
        table.put(1, BitSketch.of(new int[16]));

        assertThatThrownBy(() -> table.put(2, BitSketch.of(new int[17])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a sketch: expected 1 words, as the other has, found 2");
        assertThat(table.size()).isOne();
    }
}
