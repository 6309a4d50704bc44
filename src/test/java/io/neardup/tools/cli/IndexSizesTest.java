package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndexSizesTest {
    @Test
    void shouldReadNumbersAsPeopleWriteThem() {
        assertThat(IndexSizes.parse(List.of("50000", "100k", " 5M"))).containsExactly(50_000L, 100_000L, 5_000_000L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "1.5m", "5g", "many", "101m", "9999999999"})
    void shouldRefuseWhatIsNoSize(String size) {
        assertThatThrownBy(() -> IndexSizes.parse(List.of(size)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("expected");
    }
}
