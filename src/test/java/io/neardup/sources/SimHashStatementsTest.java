package io.neardup.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.lsh.SCurve;
import io.neardup.engine.similarity.ShingleWeights;
import io.neardup.engine.similarity.Signature;
import io.neardup.engine.similarity.SimHash;
import io.neardup.engine.similarity.SimHashFamily;
import io.neardup.engine.similarity.TermWeights;
import io.neardup.engine.similarity.Verification;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;
import java.util.Arrays;
import java.util.Random;
import java.util.SplittableRandom;

/** What the sources say of SimHash. */
class SimHashStatementsTest {
    private static final int BITS = 1_024;
    private static final SimHashFamily FAMILY = new SimHashFamily(
            new Shingling(LetterCase.LOWER, "word:1"), BITS, TermWeights.TF, null, Verification.EXACT);

    /** Texts have no negative cosines: for these the formula alone is there. */
    @StatementTest("C04")
    void shouldAgreeAsTheAngleSays(Statement statement) {
        double[] cosines = statement.numbers("cosine");

        double[] agreements = Arrays.stream(cosines)
                .map(cosine -> cosine < 0 ? 1 - Math.acos(cosine) / Math.PI : FAMILY.agreement(cosine))
                .toArray();

        statement.confirm("agreement", agreements);
        for (int i = 0; i < cosines.length; i++) {
            assertThat(drawnAgreement(cosines[i])).isEqualTo(agreements[i], within(0.008));
        }
    }

    @StatementTest("C05")
    void shouldAgreeOnHalfOfTheBitsWithNothingInCommon(Statement statement) {
        double cosine = statement.number("cosine");

        statement.confirm("agreement", FAMILY.agreement(cosine));
        assertThat(signedAgreement(cosine)).isEqualTo(statement.expectedNumber("agreement"), within(0.01));
    }

    @StatementTest("C06")
    void shouldRefuteTheReadersFormula(Statement statement) {
        double[] cosines = statement.numbers("cosine");

        statement.confirm(
                "claimed",
                Arrays.stream(cosines)
                        .map(cosine -> 1 - 2 * Math.acos(cosine) / Math.PI)
                        .toArray());
        statement.confirm(
                "agreement", Arrays.stream(cosines).map(FAMILY::agreement).toArray());
        for (double cosine : cosines) {
            assertThat(signedAgreement(cosine)).isEqualTo(FAMILY.agreement(cosine), within(0.01));
        }
    }

    @StatementTest("C07")
    void shouldBeSteeperInBands(Statement statement) {
        for (String banding : new String[] {"first", "second"}) {
            SCurve curve = statement.banding(banding).curve();

            double[] probabilities = Arrays.stream(statement.numbers(banding + "Cosine"))
                    .map(cosine -> curve.probability(FAMILY.agreement(cosine)))
                    .toArray();

            statement.confirm(banding, probabilities);
        }
    }

    @StatementTest("C22")
    void shouldDifferWhereAPlaneDivides(Statement statement) {
        Signature first = signature(statement, "first");
        Signature second = signature(statement, "second");
        Signature third = signature(statement, "third");

        statement.confirm("distance", distance(first, second), distance(first, third), distance(second, third));
    }

    private static Signature signature(Statement statement, String name) {
        return Signature.of(Arrays.stream(statement.numbers(name))
                .mapToInt(bit -> (int) bit)
                .toArray());
    }

    private static double distance(Signature a, Signature b) {
        return a.size() * (1 - a.estimate(b));
    }

    /** Of two vectors in the plane at that angle: on one side of a random line. */
    private static double drawnAgreement(double cosine) {
        Random random = new Random(4);
        double sine = Math.sqrt(1 - cosine * cosine);
        int draws = 100_000;
        int agreed = 0;
        for (int i = 0; i < draws; i++) {
            double x = random.nextGaussian();
            double y = random.nextGaussian();
            agreed += (x >= 0) == (cosine * x + sine * y >= 0) ? 1 : 0;
        }
        return agreed / (double) draws;
    }

    /** Of the bits of 100 pairs of texts of 1,000 features, of which they share as many as make that cosine. */
    private static double signedAgreement(double cosine) {
        SplittableRandom random = new SplittableRandom(22);
        SimHash simHash = new SimHash(BITS, ShingleWeights.EQUAL);
        int shared = (int) Math.round(1_000 * cosine);
        int pairs = 100;
        int differing = 0;
        for (int i = 0; i < pairs; i++) {
            Shingles a = new Shingles();
            Shingles b = new Shingles();
            for (int f = 0; f < 1_000; f++) {
                long feature = random.nextLong();
                a.add(feature);
                b.add(f < shared ? feature : random.nextLong());
            }
            long[] bits = simHash.sign(a);
            long[] others = simHash.sign(b);
            for (int word = 0; word < bits.length; word++) {
                differing += Long.bitCount(bits[word] ^ others[word]);
            }
        }
        return 1 - differing / (double) (BITS * pairs);
    }
}
