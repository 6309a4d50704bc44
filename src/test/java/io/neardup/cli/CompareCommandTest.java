package io.neardup.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompareCommandTest extends CommandTest {
    private static final String CAT = "The cat sat on the mat.";
    private static final String RED_CAT = "The red cat sat on the mat.";

    @Test
    void shouldPrintTheExactSimilarity() throws IOException {
        JsonNode report = json(
                "compare",
                "--shingle",
                "char:4",
                "--json",
                "what's the flight time from Berlin to Helsinki?",
                "how long does it take to fly from Berlin to Helsinki?");

        assertThat(report.get("jaccard").asDouble()).isCloseTo(0.309859, within(5e-7));
    }

    @ParameterizedTest
    @CsvSource({"2, 17, 21", "3, 18, 24", "4, 18, 26", "5, 16, 26"})
    void shouldKeepCapitalsOnDemand(int k, int shared, int all) throws IOException {
        JsonNode report =
                json("compare", "--shingle", "char:" + k, "--set", "neardup.text.case=keep", "--json", CAT, RED_CAT);

        assertThat(report.get("jaccard").asDouble()).isEqualTo(shared / (double) all);
        assertThat(report.get("shared").asInt()).isEqualTo(shared);
    }

    @Test
    void shouldTellContainmentBothWays() throws IOException {
        JsonNode report = json("compare", "--shingle", "word:1", "--json", "one two three four", "two three");

        assertThat(report.get("firstInSecond").asDouble()).isEqualTo(0.5);
        assertThat(report.get("secondInFirst").asDouble()).isEqualTo(1);
        assertThat(report.get("jaccard").asDouble()).isEqualTo(0.5);
    }

    @Test
    void shouldShowWhatIsSharedAndWhatIsNew() {
        assertThat(execute("compare", "--shingle", "char:4", CAT, RED_CAT)).isZero();

        assertThat(out.toString())
                .contains("the {+red+} cat sat on the mat.")
                .contains("char:4 shingles are shared")
                .contains("bands");
    }

    @Test
    void shouldShortenWhatIsSharedForLong() {
        String shared = "w ".repeat(100);

        assertThat(WordDiff.lines("old " + shared + "end", "new " + shared + "end"))
                .containsExactly("[-old-] {+new+} w w w w w w w w ... 93 shared words ...");
    }

    @Test
    void shouldReadFiles(@TempDir Path folder) throws IOException {
        Path first = Files.writeString(folder.resolve("a.txt"), CAT);

        JsonNode report = json("compare", "--json", first.toString(), CAT);

        assertThat(report.get("jaccard").asDouble()).isEqualTo(1);
        assertThat(report.get("estimate").asDouble()).isEqualTo(1);
        assertThat(report.get("bandsShared")).hasSize(report.get("bands").asInt());
    }

    @Test
    void shouldFindNothingInCommonWithABlankText() throws IOException {
        JsonNode report = json("compare", "--json", " ", CAT);

        assertThat(report.get("jaccard").asDouble()).isZero();
        assertThat(report.get("estimate").asDouble()).isZero();
        assertThat(report.get("bandsShared")).isEmpty();
    }

    @Test
    void shouldRefuseAFileThatIsNoText(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("b.bin"), new byte[] {(byte) 0xC0, (byte) 0x80});

        assertThat(execute("compare", file.toString(), CAT)).isEqualTo(1);
        assertThat(err.toString()).contains("expected a text in UTF-8, found other bytes");
    }

    @Test
    void shouldRefuseAnUnknownShingle() {
        assertThat(execute("compare", "--shingle", "char:0", CAT, RED_CAT)).isEqualTo(2);
        assertThat(err.toString()).contains("neardup.shingle");
    }

    @Test
    void shouldCompareByTheConfiguredSignature() throws IOException {
        JsonNode cosine = json(
                "compare", "--json", "--set", "neardup.signature=simhash", "--shingle", "word:1", "a a b", "a b b");
        JsonNode containment =
                json("compare", "--json", "--measure", "containment", "--shingle", "word:1", "a b c d", "a b");
        JsonNode bits = json(
                "compare",
                "--json",
                "--set",
                "neardup.signature=io.neardup.family.BitSamplingFamily",
                "--set",
                "neardup.family.bits=16",
                "00ff",
                "00fe");

        assertThat(cosine.get("similarity").asDouble()).isEqualTo(4 / 5.0, within(1e-12));
        assertThat(cosine.get("jaccard").asDouble()).isEqualTo(1);
        assertThat(containment.get("similarity").asDouble()).isEqualTo(1);
        assertThat(containment.get("jaccard").asDouble()).isEqualTo(0.5);
        assertThat(bits.get("similarity").asDouble()).isEqualTo(15 / 16.0);
    }

    @Test
    void shouldSayWhatASignatureCannotCompare() {
        assertThat(execute(
                        "compare",
                        "--set",
                        "neardup.signature=io.neardup.family.BitSamplingFamily",
                        "--set",
                        "neardup.family.bits=16",
                        "00ff",
                        "hello"))
                .isEqualTo(1);

        assertThat(err.toString()).contains("Expected 16 bits as 4 hexadecimal digits");
    }
}
