package io.neardup.engine.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HashedTokensTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 127, 128, 1023, 1024})
    void shouldHoldWhatASetHolds(int size) {
        SplittableRandom random = new SplittableRandom(size);
        HashedTokens tokens = new HashedTokens(size);
        Set<Long> expected = new HashSet<>();
        for (int i = 0; i < size; i++) {
            // Few low bits, so that many hashes have the same slot.
            long hash = random.nextLong() & ~0xFCL;
            tokens.add(hash);
            expected.add(hash);
        }

        for (int i = 0; i < 1_000; i++) {
            long other = random.nextLong() & ~0xFCL;
            assertThat(tokens.count(other)).isEqualTo(expected.contains(other) ? 1 : 0);
        }
        assertThat(expected).allMatch(hash -> tokens.count(hash) == 1);
    }
}
