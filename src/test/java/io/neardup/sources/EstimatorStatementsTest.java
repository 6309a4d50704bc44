package io.neardup.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.similarity.FastSimilaritySketch;
import io.neardup.engine.similarity.Signature;
import io.neardup.engine.text.Shingles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** What the sources say of estimates from equal values, and of the permutations behind them. */
class EstimatorStatementsTest {
    private static final String[] PAIRS = {
        "A34.01", "A34.02", "A34.03", "A34.04", "A34.05", "A34.06", "A34.07", "A34.08", "A34.09", "A34.10", "A34.11",
        "A34.12", "A34.13", "A34.14", "A34.15"
    };

    @StatementTest({"A21", "A22"})
    void shouldGiveTheFirstRowOfEachDocument(Statement statement) {
        List<String> order = statement.words("order");
        Set<String> first = new HashSet<>(statement.words("first"));
        Set<String> second = new HashSet<>(statement.words("second"));

        statement.confirm("minHash", firstRow(order, first), firstRow(order, second));
        if (statement.id().equals("A21")) {
            statement.confirm("jaccard", jaccard(first, second));
        }
    }

    @StatementTest("A23")
    void shouldAgreeOverAllOrdersAsOftenAsTheDocumentsAreSimilar(Statement statement) {
        Set<String> first = new HashSet<>(statement.words("first"));
        Set<String> second = new HashSet<>(statement.words("second"));
        List<List<String>> orders = orders(IntStream.rangeClosed(1, statement.whole("rows"))
                .mapToObj(Integer::toString)
                .toList());

        int equal = 0;
        for (List<String> order : orders) {
            equal += firstRow(order, first) == firstRow(order, second) ? 1 : 0;
        }

        statement.confirm("orders", orders.size());
        statement.confirm("equal", equal);
        statement.confirm("share", equal / (double) orders.size());
        assertThat(equal / (double) orders.size()).isEqualTo(jaccard(first, second));
    }

    private static int firstRow(List<String> order, Set<String> document) {
        return 1
                + IntStream.range(0, order.size())
                        .filter(row -> document.contains(order.get(row)))
                        .findFirst()
                        .orElseThrow();
    }

    private static List<List<String>> orders(List<String> elements) {
        if (elements.isEmpty()) {
            return List.of(List.of());
        }
        List<List<String>> orders = new ArrayList<>();
        for (String first : elements) {
            List<String> others =
                    elements.stream().filter(e -> !e.equals(first)).toList();
            for (List<String> rest : orders(others)) {
                List<String> order = new ArrayList<>(List.of(first));
                order.addAll(rest);
                orders.add(order);
            }
        }
        return orders;
    }

    private static double jaccard(Set<String> a, Set<String> b) {
        long shared = a.stream().filter(b::contains).count();
        return shared / (double) (a.size() + b.size() - shared);
    }

    @StatementTest({
        "A34.01", "A34.02", "A34.03", "A34.04", "A34.05", "A34.06", "A34.07", "A34.08", "A34.09", "A34.10", "A34.11",
        "A34.12", "A34.13", "A34.14", "A34.15"
    })
    void shouldEstimateByPositionsAndNotBySetsOfHashes(Statement statement) {
        Signature[] pair = pair(statement);

        statement.confirm("estimate", pair[0].estimate(pair[1]));
        statement.confirm("ofSets", ofSets(pair[0], pair[1]));
        double exact = statement.number("exact");
        statement.confirm("probability", statement.banding("banding").curve().probability(exact));
    }

    @StatementTest("A35")
    void shouldErrFarLessThanSetsOfHashes(Statement statement) {
        double ofPositions = 0;
        double ofSets = 0;
        for (String id : PAIRS) {
            Statement of = SourceTable.statement(id);
            Signature[] pair = pair(of);
            ofPositions += Math.abs(pair[0].estimate(pair[1]) - of.number("exact")) / PAIRS.length;
            ofSets += Math.abs(ofSets(pair[0], pair[1]) - of.number("exact")) / PAIRS.length;
        }

        statement.confirm("ofPositions", ofPositions);
        statement.confirm("ofSets", ofSets);
    }

    /** Signatures that agree at as many positions as the statement says. */
    private static Signature[] pair(Statement statement) {
        int hashes = statement.whole("hashes");
        int agreeing = (int) statement.expectedNumber("agreeing");
        return new Signature[] {
            Signature.of(IntStream.range(0, hashes).toArray()),
            Signature.of(IntStream.range(0, hashes)
                    .map(i -> i < agreeing ? i : hashes + i)
                    .toArray())
        };
    }

    /** What the source takes for the estimate. */
    private static double ofSets(Signature a, Signature b) {
        Set<Integer> union = new HashSet<>(Arrays.stream(a.values()).boxed().toList());
        union.addAll(Arrays.stream(b.values()).boxed().toList());
        return (a.size() + b.size() - union.size()) / (double) union.size();
    }

    @StatementTest("B06")
    void shouldDrawARowOfBothAsOftenAsTheDocumentsAreSimilar(Statement statement) {
        List<String> rows = new ArrayList<>(statement.words("rows"));
        int both = Collections.frequency(rows, "11");
        int none = Collections.frequency(rows, "00");
        int one = rows.size() - both - none;
        Random random = new Random(6);
        int draws = 200_000;
        int firstInBoth = 0;
        for (int i = 0; i < draws; i++) {
            Collections.shuffle(rows, random);
            String first =
                    rows.stream().filter(row -> !row.equals("00")).findFirst().orElseThrow();
            firstInBoth += first.equals("11") ? 1 : 0;
        }

        statement.confirm("both", both);
        statement.confirm("one", one);
        statement.confirm("none", none);
        statement.confirm("jaccard", both / (double) (both + one));
        double share = statement.expectedNumber("firstInBoth");
        assertThat(firstInBoth / (double) draws).isEqualTo(share, within(4.5 * Math.sqrt(share * (1 - share) / draws)));
    }

    @StatementTest("B07")
    void shouldEstimateByTheShareOfEqualValues(Statement statement) {
        statement.confirm("estimate", signature(statement, "first").estimate(signature(statement, "second")));
    }

    private static Signature signature(Statement statement, String name) {
        return Signature.of(Arrays.stream(statement.numbers(name))
                .mapToInt(value -> (int) value)
                .toArray());
    }

    @StatementTest("C11")
    void shouldAgreeOnTheRowWheneverOnTheElement(Statement statement) {
        List<String> order = new ArrayList<>(IntStream.rangeClosed(1, statement.whole("rows"))
                .mapToObj(Integer::toString)
                .toList());
        Set<String> first = new HashSet<>(statement.words("first"));
        Set<String> second = new HashSet<>(statement.words("second"));
        Random random = new Random(11);
        int draws = 100_000;
        int equal = 0;
        for (int i = 0; i < draws; i++) {
            Collections.shuffle(order, random);
            int row = firstRow(order, first);
            int other = firstRow(order, second);
            assertThat(row).isBetween(1, order.size());
            assertThat(row == other).isEqualTo(order.get(row - 1).equals(order.get(other - 1)));
            equal += row == other ? 1 : 0;
        }

        statement.confirm("equal", jaccard(first, second));
        double share = statement.expectedNumber("equal");
        assertThat(equal / (double) draws).isEqualTo(share, within(4.5 * Math.sqrt(share * (1 - share) / draws)));
    }

    @StatementTest("E05")
    void shouldAgreeAsOftenAsTheDocumentsAreSimilarAndNotAsTheyDiffer(Statement statement) {
        FastSimilaritySketch scheme = new FastSimilaritySketch(statement.whole("hashes"));
        SplittableRandom random = new SplittableRandom(5);
        int shared = statement.whole("shared");
        int union = statement.whole("union");
        int pairs = 2_000;
        double sum = 0;
        for (int i = 0; i < pairs; i++) {
            Shingles a = new Shingles();
            Shingles b = new Shingles();
            for (int s = 0; s < union; s++) {
                long hash = random.nextLong();
                if (s < shared || s % 2 == 0) {
                    a.add(hash);
                }
                if (s < shared || s % 2 == 1) {
                    b.add(hash);
                }
            }
            sum += scheme.sign(a).estimate(scheme.sign(b));
        }

        double mean = sum / pairs;
        double expected = statement.expectedNumber("estimate");
        double error = Math.sqrt(expected * (1 - expected) / scheme.size() / pairs);
        assertThat(mean).isEqualTo(expected, within(4.5 * error));
        assertThat(mean).isGreaterThan(2 * statement.expectedNumber("claimed"));
    }

    @StatementTest("E07")
    void shouldErrLessTheMoreHashesThereAre(Statement statement) {
        double jaccard = statement.number("jaccard");
        double[] hashes = statement.numbers("hashes");
        double[] errors = Arrays.stream(hashes)
                .map(n -> Math.sqrt(jaccard * (1 - jaccard) / n))
                .toArray();

        statement.confirm("error", errors);
        for (int i = 0; i < hashes.length && hashes[i] <= FastSimilaritySketch.SIZE_MAX; i++) {
            assertThat(rootMeanSquareError((int) hashes[i])).isLessThan(errors[i] * 1.1);
        }
    }

    /** Of pairs with 50 of 100 shingles in common; below the bound, as the scheme draws without putting back. */
    private static double rootMeanSquareError(int hashes) {
        FastSimilaritySketch scheme = new FastSimilaritySketch(hashes);
        SplittableRandom random = new SplittableRandom(hashes);
        int pairs = 2_000;
        double squares = 0;
        for (int i = 0; i < pairs; i++) {
            Shingles a = new Shingles();
            Shingles b = new Shingles();
            for (int s = 0; s < 100; s++) {
                long hash = random.nextLong();
                if (s < 75) {
                    a.add(hash);
                }
                if (s >= 25) {
                    b.add(hash);
                }
            }
            double error = scheme.sign(a).estimate(scheme.sign(b)) - 0.5;
            squares += error * error;
        }
        return Math.sqrt(squares / pairs);
    }
}
