package io.neardup.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.text.NaiveShingles;
import io.neardup.engine.text.NormalizedText;
import io.neardup.engine.text.ShingleSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the sources say of the similarity of texts, which here are taken as they stand, capitals and all. */
class SimilarityStatementsTest {
    @StatementTest({"A01", "A02", "A03", "A04", "A07", "A08"})
    void shouldFindTheSimilarity(Statement statement) {
        ShingleSet a = Shingled.set(statement.text("shingle"), statement.text("a"));
        ShingleSet b = Shingled.set(statement.text("shingle"), statement.text("b"));

        int shared = a.overlap(b).shared();

        statement.confirm("sizes", a.size(), b.size());
        statement.confirm("shared", shared);
        statement.confirm("union", a.size() + b.size() - shared);
        statement.confirm("jaccard", a.jaccard(b));
    }

    @StatementTest("A05")
    void shouldBecomeLessSimilarWithLongerShingles(Statement statement) {
        double[] similarities = statement.words("lengths").stream()
                .mapToDouble(k -> Shingled.jaccard("char:" + k, statement.text("a"), statement.text("b")))
                .toArray();

        statement.confirm("jaccard", similarities);
        for (int i = 1; i < similarities.length; i++) {
            assertThat(similarities[i]).isLessThan(similarities[i - 1]);
        }
    }

    @Test
    void shouldBecomeMoreSimilarWithLongerShinglesWhereFewLettersRepeat() {
        assertThat(Shingled.jaccard("char:1", "0001011100p", "0001011100q")).isEqualTo(2 / 4.0);
        assertThat(Shingled.jaccard("char:3", "0001011100p", "0001011100q")).isEqualTo(8 / 10.0);
    }

    @StatementTest("A13")
    void shouldNotMatchUnlikeTextsThatAreShorterThanAShingle(Statement statement) {
        String shingle = statement.text("shingle");
        String a = statement.text("a");

        statement.confirm("jaccard", Shingled.jaccard(shingle, a, statement.text("b")));
        assertThat(Shingled.jaccard(shingle, a, a)).isEqualTo(1);
        assertThat(Shingled.jaccard(shingle, "", "")).isZero();
    }

    @StatementTest("A14")
    void shouldTellCapitalsApartOnlyWhereTheyAreKept(Statement statement) throws IOException {
        String shingle = statement.text("shingle");
        List<String> texts = Excerpts.documents25And77();
        List<String> lower = texts.stream().map(SimilarityStatementsTest::lower).toList();

        statement.confirm(
                "jaccard",
                Shingled.jaccard(shingle, lower.get(0), lower.get(1)),
                Shingled.jaccard(shingle, texts.get(0), texts.get(1)));
        statement.confirm("claimed", withoutTheLast(5, lower), withoutTheLast(5, texts));
    }

    @StatementTest("A18")
    void shouldFindEqualTextsEqual(Statement statement) throws IOException {
        List<String> texts = Excerpts.documents2And3();

        assertThat(texts).hasSize(2).allMatch(text -> text.length() == statement.expectedNumber("length"));
        statement.confirm("jaccard", Shingled.jaccard(statement.text("shingle"), texts.get(0), texts.get(1)));
    }

    @StatementTest("A19")
    void shouldFindTheNearDuplicatesOfTheNews(Statement statement) throws IOException {
        List<String> texts = Excerpts.documents25And77();
        String a = lower(texts.get(0));
        String b = lower(texts.get(1));

        assertThat(texts).hasSize(2).allMatch(text -> text.length() == statement.expectedNumber("length"));
        statement.confirm(
                "jaccard",
                statement.words("shingles").stream()
                        .mapToDouble(shingle -> Shingled.jaccard(shingle, a, b))
                        .toArray());
        statement.confirm("claimed", withoutTheLast(5, List.of(a, b)));
        statement.confirm("apart", byWords(statement, a, b, SimilarityStatementsTest::wordsApart));
        statement.confirm("ours", byWords(statement, a, b, (k, x, y) -> Shingled.jaccard("word:" + k, x, y)));
        statement.confirm("ours", byWords(statement, a, b, (k, x, y) -> NaiveShingles.jaccard("word:" + k, x, y)));
    }

    @StatementTest("C10")
    void shouldFindTheSimilarityByWords(Statement statement) {
        List<ShingleSet> a = sets(statement, "a");
        List<ShingleSet> b = sets(statement, "b");

        statement.confirm(
                "shared",
                a.get(0).overlap(b.get(0)).shared(),
                a.get(1).overlap(b.get(1)).shared());
        statement.confirm("jaccard", a.get(0).jaccard(b.get(0)), a.get(1).jaccard(b.get(1)));
        statement.confirm("union", union(a.get(0), b.get(0)), union(a.get(1), b.get(1)));
    }

    @StatementTest("A40")
    void shouldBeExactlyAtTheThreshold(Statement statement) {
        double jaccard = Shingled.jaccard(statement.text("shingle"), statement.text("a"), statement.text("b"));

        statement.confirm("jaccard", jaccard);
        assertThat(jaccard).isEqualTo(statement.number("threshold"));
    }

    @StatementTest("A42")
    void shouldTakeShortTextsWhole(Statement statement) {
        String shingle = statement.text("shingle");
        List<String> texts = statement.words("texts");

        statement.confirm(
                "shingles",
                texts.stream()
                        .mapToDouble(text -> Shingled.set(shingle, text).size())
                        .toArray());
        for (String text : texts) {
            for (String other : texts) {
                String expected = text.equals(other) ? "jaccardOfEqual" : "jaccardOfOthers";
                statement.confirm(expected, Shingled.jaccard(shingle, text, other));
            }
        }
    }

    private static List<ShingleSet> sets(Statement statement, String name) {
        return statement.words("shingles").stream()
                .map(shingle -> Shingled.set(shingle, statement.text(name)))
                .toList();
    }

    private static int union(ShingleSet a, ShingleSet b) {
        return a.size() + b.size() - a.overlap(b).shared();
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    private interface OfWords {
        double jaccard(int k, String a, String b);
    }

    private static double[] byWords(Statement statement, String a, String b, OfWords similarity) {
        return statement.words("words").stream()
                .mapToDouble(k -> similarity.jaccard(Integer.parseInt(k), a, b))
                .toArray();
    }

    /** As the source does: words are what white space divides. */
    private static double wordsApart(int k, String a, String b) {
        return jaccard(runs(k, List.of(a.split("\\s+"))), runs(k, List.of(b.split("\\s+"))));
    }

    /** As the source does: the last shingle is left out. */
    private static double withoutTheLast(int k, List<String> texts) {
        List<Set<List<String>>> sets = new ArrayList<>();
        for (String text : texts) {
            String cut = text.substring(0, text.length() - 1);
            sets.add(runs(k, cut.chars().mapToObj(Character::toString).toList()));
        }
        return jaccard(sets.get(0), sets.get(1));
    }

    private static Set<List<String>> runs(int k, List<String> units) {
        Set<List<String>> runs = new HashSet<>();
        for (int i = 0; i + k <= units.size(); i++) {
            runs.add(units.subList(i, i + k));
        }
        return runs;
    }

    private static double jaccard(Set<List<String>> a, Set<List<String>> b) {
        long shared = a.stream().filter(b::contains).count();
        return shared / (double) (a.size() + b.size() - shared);
    }

    /** Of the normalized forms, where a double space is one. */
    @Test
    void shouldFindTheNewsEvenMoreSimilarInNormalizedForm() throws IOException {
        List<String> texts = Stream.concat(Excerpts.documents25And77().stream(), Excerpts.documents2And3().stream())
                .map(NormalizedText::of)
                .toList();

        assertThat(Shingled.jaccard("char:5", texts.get(0), texts.get(1)))
                .isEqualTo(NaiveShingles.jaccard("char:5", texts.get(0), texts.get(1)));
        assertThat(texts.get(2)).isEqualTo(texts.get(3));
    }
}
