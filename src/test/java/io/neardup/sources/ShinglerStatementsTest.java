package io.neardup.sources;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.text.NormalizedText;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.StopWords;
import io.neardup.record.Document;
import io.neardup.record.InputRecord;
import io.neardup.record.Pointers;
import io.neardup.record.TextDocumentReader;
import io.neardup.record.TextKind;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;

/** What the sources say of texts and their shingles. */
class ShinglerStatementsTest {
    @StatementTest("A06")
    void shouldCutOnlyWholeShinglesInTheOrderOfTheText(Statement statement) {
        String shingle = statement.text("shingle");

        List<Long> hashes = Shingled.hashes(shingle, statement.text("a"));

        statement.confirm("count", hashes.size());
        statement.confirm("distinct", new HashSet<>(hashes).size());
        List<Long> first = hashesOf(shingle, statement.expectedWords("first"));
        assertThat(hashes).startsWith(first.toArray(Long[]::new));
        assertThat(hashes).endsWith(Shingled.hash(shingle, statement.expectedText("last")));
        assertThat(hashes).doesNotContain(Shingled.hash(shingle, statement.expectedText("never")));
    }

    @StatementTest("A09")
    void shouldCountTheLettersOfWords(Statement statement) {
        List<String> a = List.of(statement.text("a").split("[^A-Za-z]+"));
        List<String> b = List.of(statement.text("b").split("[^A-Za-z]+"));

        statement.confirm("mean", letters(a) / (double) a.size(), letters(b) / (double) b.size());
        statement.confirm("together", (letters(a) + letters(b)) / (double) (a.size() + b.size()));
    }

    private static int letters(List<String> words) {
        return words.stream().mapToInt(String::length).sum();
    }

    @StatementTest("A10")
    void shouldReadALineAsAKeyAndAText(Statement statement) {
        String line = statement.text("id") + "\t" + statement.text("text") + "\tand more\n";
        String[] parts = line.split("\t", 2);
        InputRecord record =
                new InputRecord("documents", 0, 0, 0, parts[0].getBytes(UTF_8), parts[1].getBytes(UTF_8), List.of());

        Document document = (Document)
                new TextDocumentReader(new Pointers("/id", List.of("/text")), TextKind.STRING, 1_000).read(record);

        assertThat(document.id()).isEqualTo(statement.text("id"));
        assertThat(NormalizedText.of(parts[1])).isEqualTo(statement.expectedText("normalized") + " and more");
    }

    @StatementTest("A12")
    void shouldKeepTheLastShingle(Statement statement) {
        List<String> texts = statement.words("texts");

        statement.confirm(
                "count",
                texts.stream()
                        .mapToDouble(text ->
                                Shingled.hashes(statement.text("shingle"), text).size())
                        .toArray());
        statement.confirm(
                "claimed", texts.stream().mapToDouble(text -> text.length() - 5).toArray());
    }

    @StatementTest("B01")
    void shouldCountARepeatedShingleOnce(Statement statement) {
        String shingle = statement.text("shingle");

        List<Long> hashes = Shingled.hashes(shingle, statement.text("a"));

        statement.confirm("windows", hashes.size());
        statement.confirm("distinct", Shingled.set(shingle, statement.text("a")).size());
        assertThat(new HashSet<>(hashes))
                .containsExactlyInAnyOrderElementsOf(hashesOf(shingle, statement.expectedWords("shingles")));
    }

    @StatementTest({"B02", "C09"})
    void shouldCutRunsOfWords(Statement statement) {
        String shingle = statement.text("shingle");

        List<Long> hashes = Shingled.hashes(shingle, statement.text("a"));

        statement.confirm("count", hashes.size());
        assertThat(hashes).isEqualTo(hashesOf(shingle, statement.expectedWords("shingles")));
    }

    @StatementTest("B03")
    void shouldHaveRoomForAllShinglesOfFourLetters(Statement statement) {
        statement.confirm("shingles", Math.pow(statement.whole("letters"), statement.whole("k")));
    }

    @StatementTest("B04")
    void shouldTellFourBillionShinglesApartAndNotFourMillion(Statement statement) {
        double values = Math.pow(2, 8 * statement.whole("bytes"));
        int longest = (int) Math.floor(Math.log(values) / Math.log(statement.whole("letters")));

        statement.confirm("values", values);
        statement.confirm("longest", longest);
        statement.confirm("shingles", Math.pow(statement.whole("letters"), longest));
        statement.confirm("tooMany", Math.pow(statement.whole("letters"), longest + 1));
        assertThat(statement.expectedNumber("claimed")).isLessThan(values / 1_000);
    }

    @StatementTest("B05")
    void shouldHaveFarMoreShinglesThanATextHasCharacters(Statement statement) {
        statement.confirm(
                "times",
                Arrays.stream(statement.numbers("ks"))
                        .map(k -> Math.pow(statement.whole("letters"), k) / statement.whole("length"))
                        .toArray());
    }

    @StatementTest("C08")
    void shouldCountARepeatedWordOnce(Statement statement) {
        String shingle = statement.text("shingle");

        statement.confirm("count", Shingled.all(shingle, statement.text("a")).size());
        statement.confirm("distinct", Shingled.set(shingle, statement.text("a")).size());
    }

    @StatementTest("E02")
    void shouldCutRunsOfSeveralLengths(Statement statement) {
        String text = statement.text("a");

        statement.confirm("count", Shingled.all(statement.text("shingle"), text).size());
        statement.confirm(
                "rangeCount", Shingled.all(statement.text("range"), text).size());
        assertThat(Shingled.hashes(statement.text("shingle"), text)).isEqualTo(Shingled.hashes("word:3", text));
    }

    @StatementTest("E04")
    void shouldBeginShinglesWithStopWords(Statement statement) {
        Shingler shingler = Shingler.of("stopword:3", StopWords.of(statement.words("stopWords")), Shingled.SEED);
        Shingles shingles = new Shingles();

        shingler.shingle(NormalizedText.of(statement.text("a")), shingles);

        statement.confirm("count", shingles.size());
        assertThat(Shingled.hashes(shingles)).isEqualTo(hashesOf("word:3", statement.expectedWords("shingles")));
    }

    @StatementTest("E03")
    void shouldRollToTheHashOfEachWindow(Statement statement) {
        String shingle = statement.text("shingle");
        double[] lengths = statement.numbers("lengths");
        SplittableRandom random = new SplittableRandom(3);
        double[] counts = new double[lengths.length];
        for (int i = 0; i < lengths.length; i++) {
            StringBuilder text = new StringBuilder();
            random.ints((int) lengths[i], 'a', 'e').forEach(c -> text.append((char) c));

            Shingles rolled = Shingled.all(shingle, text.toString());

            counts[i] = rolled.size();
            for (int at = 0; at < rolled.size(); at++) {
                String window = text.substring(at, Math.min(text.length(), at + 9));
                assertThat(rolled.hash(at)).isEqualTo(Shingled.hash(shingle, window));
            }
        }
        statement.confirm("count", counts);
    }

    private static List<Long> hashesOf(String shingle, List<String> printed) {
        return printed.stream().map(text -> Shingled.hash(shingle, text)).toList();
    }
}
