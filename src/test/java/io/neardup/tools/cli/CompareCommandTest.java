package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompareCommandTest extends CommandTest {
    private static final String CAT = "The cat sat on the mat.";
    private static final String RED_CAT = "The red cat sat on the mat.";

    @Test
    void shouldTakeAPairExactlyAtTheThresholdForADuplicate() {
        List<String> settings = List.of("neardup.text.case=keep", "neardup.similarity.threshold=0.75");
        assertThat(printed(withSettings(settings, "compare", "--text", "--shingle", "char:3", CAT, RED_CAT)))
                .contains("A duplicate")
                .doesNotContain("Not a duplicate");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --shingle word:1 | one two three four | two three | {'jaccard':0.5,'firstInSecond':0.5,'secondInFirst':1.0}
            --set neardup.signature=simhash --shingle word:1 | a a b | a b b | {'similarity':0.8,'jaccard':1.0}
            --set neardup.similarity.measure=containment --shingle word:1 | a b c d | a b\
             | {'similarity':1.0,'jaccard':0.5}
            --set neardup.signature=io.neardup.engine.similarity.BitSamplingFamily --set neardup.family.bits=16\
             | 00ff | 00fe | {'similarity':0.9375}
            """)
    void shouldTellTheFigures(String options, String first, String second, String figures) throws IOException {
        JsonNode report = json(with(("compare --text --json " + options).split(" ", -1), first, second));

        new ObjectMapper().readTree(figures.replace("'", "\"")).properties().forEach(figure -> {
            JsonNode found = report.get(figure.getKey());
            if (found.isNumber()) {
                assertThat(found.asDouble())
                        .as(figure.getKey())
                        .isEqualTo(figure.getValue().asDouble(), within(1e-12));
            } else {
                assertThat(found).isEqualTo(figure.getValue());
            }
        });
    }

    @Test
    void shouldShowNothingThatATerminalTakesForACommand() {
        assertThat(printed(
                        "compare",
                        "--text",
                        "the cat \u001B]0;x\u0007 sat\u202E on the mat",
                        "the cat sat\u009B2J on the mat"))
                .contains("<U+001B>]0;x<U+0007>", "sat<U+202E>", "sat<U+009B>2j")
                .doesNotContain("\u001B", "\u0007", "\u009B", "\u202E");
    }

    /** They are counted, and wrapped, by the character. */
    @Test
    void shouldShowScriptsWithoutSpaces() {
        String shared = "字".repeat(60);

        assertThat(CompareCommand.wordDiff("東京" + shared, "大阪" + shared))
                .isEqualTo("[-東京-]{+大阪+}" + "字".repeat(8) + " ... 52 shared words ...");
        assertThat(printed("compare", "--text", ("甲" + "字".repeat(9)).repeat(9), ("乙" + "字".repeat(9)).repeat(9))
                        .lines())
                .allSatisfy(line -> assertThat(SideBySide.width(line)).isLessThan(80));
    }

    @Test
    void shouldReadFiles(@TempDir Path folder) throws IOException {
        Path first = Files.writeString(folder.resolve("a.txt"), CAT);

        JsonNode report = json("compare", "--json", first.toString(), first.toString());

        assertThat(report.get("jaccard").asDouble()).isEqualTo(1);
        assertThat(report.get("estimate").asDouble()).isEqualTo(1);
        assertThat(report.get("bandsShared")).hasSize(report.get("bands").asInt());
    }

    @Test
    void shouldRefuseWhatCannotBeCompared(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("b.bin"), new byte[] {(byte) 0xC0, (byte) 0x80});

        assertThat(refused("compare", file.toString(), file.toString()))
                .contains("expected a text in UTF-8, found other bytes");
        assertThat(refused("compare", "nosuch.txt", file.toString())).contains("nosuch.txt does not exist");
        assertThat(refused("compare", "--text", " ", CAT)).contains("--text: expected a text, found nothing but white");
        assertThat(refused("compare", "--text", "--shingle", "char:0", CAT, RED_CAT))
                .contains("neardup.shingle");
        assertThat(failed(("compare --text --set neardup.signature=io.neardup.engine.similarity.BitSamplingFamily"
                                + " --set neardup.family.bits=16 00ff hello")
                        .split(" ", -1)))
                .contains("Expected 16 bits as 4 hexadecimal digits");
    }

    // ---- texts side by side

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
