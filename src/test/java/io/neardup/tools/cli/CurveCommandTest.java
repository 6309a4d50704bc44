package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.engine.lsh.Banding;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CurveCommandTest extends CommandTest {

    @Test
    void shouldPrintProbabilities() throws IOException {
        assertThat(execute("curve", "--bands", "42", "--rows", "3", "--at", "0.5,0.05", "--json"))
                .isZero();

        JsonNode curve = new ObjectMapper().readTree(out.toString()).at("/curves/0");
        assertThat(curve.at("/at/0.5").asDouble()).isCloseTo(0.996333, within(5e-7));
        assertThat(curve.at("/at/0.05").asDouble()).isCloseTo(0.005237, within(5e-7));
        assertThat(curve.get("hashes").asInt()).isEqualTo(126);
        assertThat(curve.at("/similarityAt/0.5").asDouble())
                .isCloseTo(new Banding(42, 3).similarityAt(0.5), within(1e-12));
    }

    @Test
    void shouldDrawEachCurveWithItsLetter() {
        assertThat(execute("curve", "--bands", "26,16", "--rows", "5,8", "--at", "0.7"))
                .isZero();

        assertThat(out.toString())
                .contains("a  26 x 5, 130 hashes", "b  16 x 8, 128 hashes")
                .contains("similarity 0.7: met with probability 0.991639");
    }

    @Test
    void shouldRiseFromTheLowerLeftToTheUpperRight() {
        List<String> lines = CurvePlot.lines(List.of(new Banding(20, 5)));

        assertThat(lines.get(0)).startsWith(" 1.00 |").endsWith("aaa");
        assertThat(lines.get(20)).startsWith(" 0.00 |aaaaaaaa");
    }

    @Test
    void shouldDrawPictures(@TempDir Path folder) throws IOException {
        Path png = folder.resolve("curves.png");
        Path svg = folder.resolve("curves.svg");

        assertThat(execute(
                        "curve", "--bands", "26,16", "--rows", "5,8", "--png", png.toString(), "--svg", svg.toString()))
                .isZero();

        BufferedImage image = ImageIO.read(png.toFile());
        assertThat(image.getWidth()).isEqualTo(900);
        assertThat(Files.readString(svg)).contains("<svg", "</svg>");
    }

    @Test
    void shouldRefuseWhatIsNoCurve() {
        assertThat(execute("curve", "--bands", "42", "--rows", "3,4")).isEqualTo(2);
        assertThat(err.toString()).contains("--bands and --rows: expected as many of both, found 1 and 2");
        assertThat(execute("curve", "--bands", "42", "--rows", "3", "--at", "1.5"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--at: expected 0 to 1, found 1.5");
        assertThat(execute("curve", "--bands", "0", "--rows", "3")).isEqualTo(2);
        assertThat(execute("curve", "--bands", "4", "--rows", "3", "--png", "/nowhere/at/all.png"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--png /nowhere/at/all.png: expected a file in a folder that exists");
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
        assertThat(execute("tune", "--find", "0.5:0.99", "--reject", "0.05:0.001", "--hashes", "288", "--json"))
                .isZero();

        JsonNode report = new ObjectMapper().readTree(out.toString());
        assertThat(report.at("/within/bands").asInt()).isEqualTo(72);
        assertThat(report.at("/within/rows").asInt()).isEqualTo(4);
    }

    @Test
    void shouldRefuseTargetsThatAreNone() {
        assertThat(execute("tune", "--find", "0.5", "--reject", "0.05:0.001")).isEqualTo(2);
        assertThat(err.toString()).contains("--find: expected SIMILARITY:PROBABILITY such as 0.5:0.99, found 0.5");
        assertThat(execute("tune", "--find", "0.5:0.9", "--reject", "0.6:0.001"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("similarity to reject 0.6");
    }
}
