package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.sources.Statement;
import io.neardup.sources.StatementTest;
import java.io.IOException;

/** What the sources say, asked of the commands. */
class StatementCommandsTest extends CommandTest {
    @StatementTest({"A01", "A02", "A03", "A04", "A07", "A08"})
    void shouldCompare(Statement statement) throws IOException {
        JsonNode report = json(
                "compare",
                "--shingle",
                statement.text("shingle"),
                "--set",
                "neardup.text.case=keep",
                "--json",
                statement.text("a"),
                statement.text("b"));

        int shared = report.get("shared").asInt();
        int onlyInFirst = report.get("onlyInFirst").asInt();
        int onlyInSecond = report.get("onlyInSecond").asInt();
        statement.confirm("sizes", shared + onlyInFirst, shared + onlyInSecond);
        statement.confirm("shared", shared);
        statement.confirm("union", shared + onlyInFirst + onlyInSecond);
        statement.confirm("jaccard", report.get("jaccard").asDouble());
    }

    @StatementTest("A40")
    void shouldTakeAPairExactlyAtTheThresholdForADuplicate(Statement statement) throws IOException {
        String[] arguments = {
            "compare",
            "--shingle",
            statement.text("shingle"),
            "--set",
            "neardup.text.case=keep",
            "--set",
            "neardup.similarity.threshold=" + statement.text("threshold"),
            statement.text("a"),
            statement.text("b")
        };

        assertThat(execute(arguments)).isZero();

        assertThat(out.toString()).contains(statement.expectedText("verdict")).doesNotContain("Not a duplicate");
    }

    @StatementTest({"A24", "A25", "A26", "A27", "A28", "D11"})
    void shouldDrawTheCurve(Statement statement) throws IOException {
        String[] banding = statement.text("banding").split("x", -1);
        JsonNode curve = json(
                        "curve",
                        "--bands",
                        banding[0],
                        "--rows",
                        banding[1],
                        "--at",
                        statement.text("at").replace(' ', ','),
                        "--json")
                .at("/curves/0");

        double[] at = statement.numbers("at");
        double[] probabilities = new double[at.length];
        for (int i = 0; i < at.length; i++) {
            probabilities[i] = curve.at("/at/" + at[i]).asDouble();
        }
        statement.confirm("probability", probabilities);
        if (statement.expected().containsKey("half")) {
            statement.confirm("half", curve.at("/similarityAt/0.5").asDouble());
            statement.confirm("steepest", curve.get("steepest").asDouble());
        }
    }

    @StatementTest("D12")
    void shouldSayThatTheTargetsCannotBeMetAndWhatComesNearest(Statement statement) {
        int exit = execute(
                "tune",
                "--find",
                statement.text("find"),
                "--reject",
                statement.text("reject"),
                "--hashes",
                statement.text("hashes"));

        assertThat(exit).isEqualTo(1);
        assertThat(out.toString())
                .contains("cheapest", bandsAndRows(statement.expectedText("cheapest")))
                .contains("nearest", bandsAndRows(statement.expectedText("nearest")));
    }

    private static String bandsAndRows(String printed) {
        return printed.replace("x", " bands x ") + " rows";
    }
}
