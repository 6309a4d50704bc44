package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SideBySideTest {
    @Test
    void shouldStartShortlyBeforeTheFirstDifference() {
        String common = "common words ".repeat(30);
        assertThat(SideBySide.passages(common + "left end", common + "right end", 3))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(80))
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("... ").doesNotContain("end"),
                        last -> assertThat(last).contains("left end").endsWith("right end"));
    }

    @Test
    void shouldTakeOutWhatMovesACursor() {
        assertThat(SideBySide.printable(" a\u001b[2Jb\r\n\tc\u202ed\ud800 ")).isEqualTo("a[2Jb cd");
    }

    @Test
    void shouldCountWideLettersTwice() {
        assertThat(SideBySide.columns("電".repeat(19), "x", 2)).containsExactly("電".repeat(19) + " | x");
        assertThat(SideBySide.columns("電".repeat(20), "x", 2)).hasSize(2);
    }
}
