package io.neardup.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.similarity.EstimatedOverlap;
import io.neardup.engine.similarity.FastSimilaritySketch;
import io.neardup.engine.similarity.Signature;
import io.neardup.engine.text.Shingles;
import java.util.Arrays;
import java.util.stream.IntStream;

/** What the sources say of numbers of documents and pairs, of time and of room. */
class CostStatementsTest {
    @StatementTest("A15")
    void shouldReadOneDocumentMoreThanTheSourceSays(Statement statement) {
        int last = statement.whole("last");

        int[] read = IntStream.range(0, 2 * last).takeWhile(i -> !(i > last)).toArray();

        statement.confirm("documents", read.length);
    }

    @StatementTest("A20")
    void shouldExtrapolatePairsAndNotDocuments(Statement statement) {
        double share = statement.number("pairs") / statement.number("documents");
        double[] all = statement.numbers("all");

        statement.confirm("percent", 100 * share);
        statement.confirm("extrapolated", share * all[0], Math.rint(share * all[1]));
        assertThat(share * all[0]).isGreaterThan(statement.expectedNumber("claimed"));
    }

    @StatementTest("A37")
    void shouldCountWhatIsCheckedInVain(Statement statement) {
        statement.confirm("inVain", statement.whole("candidates") - statement.whole("found"));
        statement.confirm("precision", statement.number("found") / statement.number("candidates"));
    }

    @StatementTest("A38")
    void shouldCountAllPairsAndNot500Fewer(Statement statement) {
        double documents = statement.number("documents");

        statement.confirm("pairs", pairs(documents));
        statement.confirm("claimed", documents * documents / 2 - documents);
        assertThat(statement.expectedNumber("claimed")).isNotEqualTo(pairs(documents));
    }

    @StatementTest("A39")
    void shouldTakeAsMuchRoomWhateverTheText(Statement statement) {
        FastSimilaritySketch scheme = new FastSimilaritySketch(statement.whole("hashes"));
        EstimatedOverlap.Counter counter = new EstimatedOverlap.Counter();
        for (double length : statement.numbers("lengths")) {
            Shingles shingles = Shingled.all("char:5", "a line of text ".repeat((int) length));

            Signature signature = scheme.sign(shingles);

            statement.confirm("bytes", Integer.BYTES * signature.size());
            statement.confirm("evidence", counter.evidence(shingles, signature).bytes().length);
        }
    }

    @StatementTest("C01")
    void shouldTakeADayToCompareAllPairs(Statement statement) {
        double[] pairs = Arrays.stream(statement.numbers("documents"))
                .map(CostStatementsTest::pairs)
                .toArray();

        statement.confirm("pairs", pairs);
        statement.confirm("seconds", pairs[0] / 1e6, pairs[1] / 1e6);
        statement.confirm("hours", pairs[1] / 3.6e9);
        statement.confirm("days", pairs[1] / 86.4e9);
    }

    @StatementTest("D01")
    void shouldTakeHalfAKilobyteADocument(Statement statement) {
        double documents = statement.number("documents");
        FastSimilaritySketch scheme = new FastSimilaritySketch(statement.whole("hashes"));

        Signature signature = scheme.sign(Shingled.all("word:4", "an ad for a job of some kind"));

        statement.confirm("perSecond", documents / statement.number("seconds"));
        statement.confirm("bytesEach", statement.number("bytes") / documents);
        statement.confirm("ofSignature", Integer.BYTES * signature.size());
    }

    @StatementTest("D02")
    void shouldHaveEightyBillionPairs(Statement statement) {
        statement.confirm("pairs", pairs(statement.number("documents")));
    }

    @StatementTest("D17")
    void shouldLetAHundredthOfAPercentThrough(Statement statement) {
        double found = statement.number("pairs");

        statement.confirm("percent", 100 * found / pairs(statement.number("documents")));
        statement.confirm("perSecond", statement.number("documents") / statement.number("seconds"));
    }

    private static double pairs(double documents) {
        return documents * (documents - 1) / 2;
    }
}
