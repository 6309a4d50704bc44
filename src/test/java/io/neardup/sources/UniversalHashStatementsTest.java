package io.neardup.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** What a source says of ((a x + b) mod p) mod n in place of permutations of n rows, which this code does without. */
class UniversalHashStatementsTest {
    @StatementTest("C12")
    void shouldCollideMostlyWhenReducedTwice(Statement statement) {
        int n = statement.whole("n");
        int p = statement.whole("p");
        int functions = 0;
        int permutations = 0;
        int injective = 0;
        for (int a = 1; a < p; a++) {
            for (int b = 0; b < p; b++) {
                int[] reducedOnce = hashes(a, b, p, n);
                functions++;
                injective += Arrays.stream(reducedOnce).distinct().count() == n ? 1 : 0;
                permutations += Arrays.stream(reducedOnce)
                                        .map(hash -> hash % n)
                                        .distinct()
                                        .count()
                                == n
                        ? 1
                        : 0;
            }
        }

        statement.confirm("functions", functions);
        statement.confirm("permutations", permutations);
        statement.confirm("injectiveModP", injective);
    }

    private static int[] hashes(int a, int b, int p, int n) {
        return IntStream.range(0, n).map(x -> (a * x + b) % p).toArray();
    }

    @StatementTest("C15")
    void shouldEstimateFarTooHighWhereCollisionsAreMany(Statement statement) {
        double jaccard = statement.number("shared") / statement.number("union");
        double functions = statement.number("functions");

        double reducedTwice = meanAgreeing(statement, statement.whole("n"));
        double reducedOnce = meanAgreeing(statement, statement.whole("p"));

        assertThat(reducedTwice).isEqualTo(statement.expectedNumber("agreeing"), within(3.0));
        assertThat(reducedTwice / functions).isEqualTo(statement.expectedNumber("share"), within(0.015));
        assertThat(reducedOnce / functions).isEqualTo(jaccard, within(0.01));
        statement.confirm("withoutModN", jaccard);
    }

    @StatementTest("C17")
    void shouldEstimateWellWhereCollisionsAreFew(Statement statement) {
        double jaccard = statement.number("shared") / statement.number("union");
        double functions = statement.number("functions");
        double printed = statement.expectedNumber("agreeing");

        double agreeing = meanAgreeing(statement, statement.whole("n"));

        assertThat(agreeing / functions).isEqualTo(jaccard, within(0.01));
        double deviation = Math.sqrt(functions * jaccard * (1 - jaccard));
        assertThat(printed)
                .isBetween(statement.expectedNumber("from"), statement.expectedNumber("to"))
                .isCloseTo(functions * jaccard, within(1.96 * deviation));
        statement.confirm("share", printed / functions);
    }

    /** Over pairs of random sets of the sizes in the statement, under functions mod p and then mod {@code last}. */
    private static double meanAgreeing(Statement statement, int last) {
        SplittableRandom random = new SplittableRandom(15);
        int p = statement.whole("p");
        int agreeing = 0;
        for (int i = 0; i < statement.whole("repeats"); i++) {
            int[] union = distinct(random, statement.whole("union"), statement.whole("n"));
            for (int f = 0; f < statement.whole("functions"); f++) {
                int a = 1 + random.nextInt(p - 1);
                int b = random.nextInt(p);
                int[] hashes = Arrays.stream(union)
                        .map(x -> (int) (((long) a * x + b) % p) % last)
                        .toArray();
                agreeing += agree(hashes, statement.whole("shared")) ? 1 : 0;
            }
        }
        return agreeing / statement.number("repeats");
    }

    /** The shared elements come first; those of one set and of the other take turns after. */
    private static boolean agree(int[] hashes, int shared) {
        int[] least = {Integer.MAX_VALUE, Integer.MAX_VALUE};
        for (int i = 0; i < hashes.length; i++) {
            if (i < shared || i % 2 == 0) {
                least[0] = Math.min(least[0], hashes[i]);
            }
            if (i < shared || i % 2 == 1) {
                least[1] = Math.min(least[1], hashes[i]);
            }
        }
        return least[0] == least[1];
    }

    private static int[] distinct(SplittableRandom random, int count, int below) {
        return random.ints(0, below).distinct().limit(count).toArray();
    }
}
