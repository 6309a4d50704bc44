package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.engine.lsh.Banding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CurveCommandTest extends CommandTest {

    @Test
    void shouldPrintProbabilities() throws IOException {
        JsonNode curve = json("curve", "--bands", "42", "--rows", "3", "--at", "0.5,0.05", "--json")
                .at("/curves/0");

        assertThat(curve.at("/at/0.5").asDouble()).isCloseTo(0.996333, within(5e-7));
        assertThat(curve.at("/at/0.05").asDouble()).isCloseTo(0.005237, within(5e-7));
        assertThat(curve.get("hashes").asInt()).isEqualTo(126);
        assertThat(curve.at("/similarityAt/0.5").asDouble())
                .isCloseTo(new Banding(42, 3).similarityAt(0.5), within(1e-12));
    }

    @Test
    void shouldDrawEachCurveWithItsLetterAndPictures(@TempDir Path folder) throws IOException {
        Path png = folder.resolve("curves.png");
        Path svg = folder.resolve("curves.svg");
        String line = "curve --bands 26,16 --rows 5,8 --at 0.7 --png " + png + " --svg " + svg;

        assertThat(printed(line.split(" ", -1)))
                .contains("a  26 x 5, 130 hashes", "b  16 x 8, 128 hashes")
                .contains("similarity 0.7: met with probability 0.991639")
                .containsPattern("(?m)^ 1\\.00 \\|.*[ab]$")
                .containsPattern("(?m)^ 0\\.00 \\|[ab]");
        assertThat(ImageIO.read(png.toFile()).getWidth()).isEqualTo(900);
        assertThat(Files.readString(svg)).contains("<svg", "</svg>");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--bands 42 --rows 3,4 | --bands and --rows: expected as many of both, found 1 and 2",
                "--bands 42 --rows 3 --at 1.5 | --at: expected 0 to 1, found 1.5",
                "--bands 0 --rows 3 | bands"
            })
    void shouldRefuseWhatIsNoCurve(String options, String message) {
        assertThat(refused(("curve " + options).split(" ", -1))).contains(message);
    }

    @Test
    void shouldSayThatNoBandingWithinTheHashesMeetsBothTargets() {
        assertThat(execute("tune", "--find", "0.5:0.99", "--reject", "0.05:0.001", "--hashes", "128"))
                .isEqualTo(1);
        assertThat(out.toString())
                .contains("No bands x rows within 128 hashes does both.")
                .contains("The cheapest that does: 72 bands x 4 rows, 288 hashes")
                .contains("The nearest within 128: 35 bands x 3 rows, 105 hashes");
    }

    @Test
    void shouldFindTheCheapestBanding() throws IOException {
        JsonNode report = json("tune", "--find", "0.5:0.99", "--reject", "0.05:0.001", "--hashes", "288", "--json");

        assertThat(report.at("/within/bands").asInt()).isEqualTo(72);
        assertThat(report.at("/within/rows").asInt()).isEqualTo(4);
    }
}
