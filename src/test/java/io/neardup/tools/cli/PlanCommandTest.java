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

class PlanCommandTest extends CommandTest {

    @Test
    void shouldPrintProbabilities() throws IOException {
        JsonNode curve = json("plan", "--bands", "42", "--rows", "3", "--at", "0.5,0.05", "--json")
                .at("/curves/0");

        assertThat(curve.at("/at/0.5").asDouble()).isCloseTo(0.996333, within(5e-7));
        assertThat(curve.at("/at/0.05").asDouble()).isCloseTo(0.005237, within(5e-7));
        assertThat(curve.get("hashes").asInt()).isEqualTo(126);
        assertThat(curve.at("/similarityAt/0.5").asDouble())
                .isCloseTo(new Banding(42, 3).similarityAt(0.5), within(1e-12));
    }

    @Test
    void shouldDrawEachCurveAndPictures(@TempDir Path folder) throws IOException {
        Path png = folder.resolve("curves.png");
        Path svg = folder.resolve("curves.svg");
        String line = "plan --bands 26,16 --rows 5,8 --at 0.02 --png " + png + " --svg " + svg;

        assertThat(printed(line.split(" ", -1)))
                .containsPattern("(?m)^similarity +26x5 +16x8 +how likely")
                .containsPattern("(?m)^0\\.02 +8\\.320e-08  4\\.096e-13$")
                .containsPattern("(?m)^0\\.7 +0\\.9916  +0\\.6\\d{3}  #{40}$");
        assertThat(ImageIO.read(png.toFile()).getWidth()).isEqualTo(900);
        assertThat(Files.readString(svg)).contains("<svg", "</svg>");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --bands 42 --rows 3,4 | --bands and --rows: expected the same number of values, found 1 and 2
            --bands 42 --rows 3 --at 1.5 | --at: expected 0 to 1, found 1.5
            --bands 0 --rows 3 | Banding of 0 bands x 3 rows: expected at least 1 of each
            --bands 3 --rows 3 --set neardup.recall=0.9 | --set: no effect with --bands and --rows
            --hashes 3 --bands 3 --rows 3 | --hashes: expected --reject beside it, found none
            --find 0.5:0.99 | --find: expected --reject beside it, found none
            --reject 0.5:0.99 | --reject: expected --find beside it, found none
            --find 0.5 --reject 0.05:0.001 | --find: expected SIMILARITY:PROBABILITY such as 0.5:0.99
            --find 0.5:0.9 --reject 0.6:0.001 | similarity to reject 0.6
            --find 0.5:0.99 --reject 0.05:0.001 --png x | --png: no effect with --find and --reject
            """)
    void shouldRefuse(String options, String message) {
        assertThat(refused(("plan " + options).split(" ", -1))).contains(message);
    }

    @Test
    void shouldSayThatNoBandingWithinTheHashesMeetsBothTargets() {
        assertThat(execute("plan", "--find", "0.5:0.99", "--reject", "0.05:0.001", "--hashes", "128"))
                .isEqualTo(1);
        assertThat(out.toString()).contains("No bands x rows within 128 hashes does both.");
        assertThat(words(out.toString()))
                .contains("cheapest.bands 72 cheapest.rows 4 cheapest.hashes 288")
                .contains("nearest.bands 35 nearest.rows 3 nearest.hashes 105");
    }

    @Test
    void shouldTellWhatFollowsFromTheSettingsAndDrawTheirCurve() throws IOException {
        String[] line = {"plan", "--set", "neardup.similarity.threshold=0.8", "--at", "0.8,0.02"};
        String said = printed(line);

        assertThat(words(said)).contains("bands 12 rows 5 threshold 0.8 recall 0.991");
        assertThat(said).containsPattern("(?m)^1\\.0 +1\\.000  #{40}$");
        JsonNode figures = json(with(line, "--json"));
        assertThat(figures.get("bands").asInt()).isEqualTo(12);
        assertThat(figures.get("bytesPerDocument").asInt()).isEqualTo(31);
        assertThat(figures.get("topology").asText()).contains("Sub-topology: 1");
        assertThat(printed("plan", "--topology")).startsWith("Topologies:").contains("Sub-topology: 1", "26x5");
        assertThat(figures.get("memoryGibibytes").asDouble()).isEqualTo(0.29, within(0.005));
        assertThat(figures.get("diskGibibytes").asDouble()).isEqualTo(23.3, within(0.05));
        assertThat(figures.at("/at/0.8").asDouble()).isEqualTo(0.9915, within(5e-5));
    }

    @Test
    void shouldCountOnDiskWhetherTextsAreKept() throws IOException {
        JsonNode figures = json("plan", "--json", "--set", "neardup.similarity.verify=estimate");

        assertThat(figures.get("originalBytesPerDocument").asInt()).isBetween(800, 1_000);
    }

    @Test
    void shouldReckonWithTheChanceToAgreeOnAValue() throws IOException {
        JsonNode figures = json("plan", "--json", "--set", "neardup.signature=simhash");

        assertThat(figures.get("recall").asDouble()).isEqualTo(0.9903, within(5e-5));
        assertThat(figures.get("falseCandidates").asDouble()).isEqualTo(13_346, within(1.0));
    }
}
