package io.neardup.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "0, 281474976710655, 0000ffffffffffff",
        "1, 0, 0001000000000000",
        "32767, 281474976710655, 7fffffffffffffff",
    })
    void shouldFitIntoANonNegativeLong(int home, long sequence, String packed) {
        Ref ref = new Ref(home, sequence);

        assertThat(ref.packed()).isEqualTo(Long.parseLong(packed, 16)).isNotNegative();
        assertThat(Ref.unpack(ref.packed())).isEqualTo(ref);
    }

    @Test
    void shouldComeInTheOrderOfHomesThenSequences() {
        List<Ref> inOrder = List.of(
                new Ref(0, 0),
                new Ref(0, 1),
                new Ref(0, Ref.SEQUENCE_MAX),
                new Ref(1, 0),
                new Ref(Ref.HOMES_MAX - 1, Ref.SEQUENCE_MAX));

        assertThat(inOrder).isSorted().isSortedAccordingTo((a, b) -> Long.compare(a.packed(), b.packed()));
    }

    @ParameterizedTest
    @CsvSource({"-1, 0, home", "32768, 0, home", "0, -1, sequence", "0, 281474976710656, sequence"})
    void shouldRefuseWhatDoesNotFit(int home, long sequence, String named) {
        assertThatThrownBy(() -> new Ref(home, sequence))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(named + ": expected 0 to ");
    }
}
