package io.neardup.engine.text;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.io.StringReader;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BoilerplateShinglesTest {
    private static final long SEED = 0x5EED;
    private static final String HEADER = CommonSets.file("char:3");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "char:1", "char:5", "char:9", "word:1",
                "word:2", "word:3", "word:1..3", "stopword:2",
                "stopword:3"
            })
    void shouldLeaveOutExactlyTheCommonShingles(String spec) {
        SplittableRandom random = new SplittableRandom(spec.hashCode());
        Shingling all = new Shingling(LetterCase.LOWER, spec);
        for (int i = 0; i < 300; i++) {
            String text = text(random);
            List<List<String>> shingles = NaiveShingles.of(spec, text);
            Set<List<String>> common = someOf(shingles, random);
            common.addAll(someOf(NaiveShingles.of(spec, text(random)), random));

            long[] left =
                    ShingleLists.hashes(all.without(CommonSets.of(spec, common)).shingler(SEED), text);

            long[] whole = ShingleLists.hashes(all.shingler(SEED), text);
            assertThat(whole).hasSameSizeAs(shingles);
            assertThat(sorted(left))
                    .as(text)
                    .isEqualTo(sorted(IntStream.range(0, whole.length)
                            .filter(counting(shingles, common))
                            .mapToLong(at -> whole[at])
                            .toArray()));
        }
    }

    /** 24 distinct shingles; repeats of those that are left say nothing more. */
    @ParameterizedTest
    @CsvSource({
        "abcdefghijklmnopqrstuvwxyz,4,20",
        "abcdefghijklmnopqrstuvwxyz,5,24",
        "abcdefghijklmnopqrstuvwxyz yz yz,9,30"
    })
    void shouldKeepATextWholeOfWhichFewerThanTwentyDistinctShinglesAreLeft(String text, int common, int expected) {
        Set<List<String>> shingles = IntStream.range(0, common)
                .mapToObj(at -> List.of(text.substring(at, at + 3)))
                .collect(toSet());
        Shingling shingling = new Shingling(LetterCase.LOWER, "char:3").without(CommonSets.of("char:3", shingles));

        Shingles left = new Shingles();
        shingling.shingler(SEED).shingle(text, left);
        assertThat(left.size()).isEqualTo(expected);
        assertThat(ShingleLists.hashes(shingling.whole().shingler(SEED), text)).hasSize(text.length() - 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"char:9", "word:1..3", "stopword:3"})
    void shouldReadWhatItWrites(String spec) throws IOException {
        SplittableRandom random = new SplittableRandom(9);
        Set<List<String>> shingles = new TreeSet<>(Comparator.comparing(List::toString));
        for (int i = 0; i < 40; i++) {
            shingles.addAll(NaiveShingles.of(spec, text(random)));
        }
        BoilerplateShingles written = CommonSets.of(spec, shingles);
        StringBuilder lines = new StringBuilder();
        written.write(lines);
        BoilerplateShingles read = read(lines.toString());
        StringBuilder again = new StringBuilder();
        read.write(again);
        assertThat(again).asString().isEqualTo(lines.toString());
        assertThat(read).isEqualTo(written);
        assertThat(read.size()).isEqualTo(written.size()).isGreaterThan(100);
    }

    @Test
    void shouldHaveAFingerprintOfTheShinglesAndHowTheyAreCutAlone() throws IOException {
        BoilerplateShingles shingles = read(HEADER + "5\tabc\n7\tabd\n");
        String counts = HEADER.replace("90", "91").replace("40", "50") + "8\tabc\n9\tabd\n";
        assertThat(shingles.fingerprint())
                .matches("[0-9a-f]{16}")
                .isEqualTo(read(counts).fingerprint())
                .isNotEqualTo(read(HEADER + "5\tabc\n").fingerprint())
                .isNotEqualTo(read(HEADER.replace("lower", "keep") + "5\tabc\n7\tabd\n")
                        .fingerprint());
        Shingling whole = new Shingling(LetterCase.LOWER, "char:3");
        assertThat(whole.without(shingles).identity()).containsEntry("boilerplate", shingles.fingerprint());
        assertThat(whole.identity()).doesNotContainKey("boilerplate");
    }

    @ParameterizedTest
    @CsvSource({"char:5, LOWER, lower", "char:3, KEEP, keep"})
    void shouldRefuseShinglesThatAreCutInAnotherWay(String spec, LetterCase letterCase, String word)
            throws IOException {
        BoilerplateShingles common = read(HEADER + "5\tabc\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Shingling(letterCase, spec).without(common))
                .withMessage(
                        "expected boilerplate shingles of %s, case %s, found those of char:3, case lower: make them"
                                + " anew with these settings, tune boilerplate FILE --write OUT",
                        spec, word);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | line 1: expected '# version=' and 1, as tune boilerplate writes, found the end",
                "# version=2\\n | line 1: expected '# version=' and 1, as tune boilerplate writes, found"
                        + " '# version=2'",
                "# version=1\\n# shingle=char:0\\n | line 2: expected '# shingle=' and char:k or word:k with k from 1"
                        + " to 64, word:min..max with at most 8 lengths, or stopword:k with k from 2 to 64, found"
                        + " '# shingle=char:0'",
                "HEADER5\\tab\\n | line 7: LINE, found '5<TAB>ab'",
                "HEADERabc\\n | line 7: LINE, found 'abc'",
                "HEADER0\\tabc\\n | line 7: LINE, found '0<TAB>abc'",
                "HEADER5\\tb\\tc\\n | line 7: LINE, found '5<TAB>b<TAB>c'",
                "HEADER5\\tabc\\n5\\tabb\\n | line 8: ORDER, found '5<TAB>abb'",
                "HEADER5\\tabc\\n5\\tabc\\n | line 8: ORDER, found '5<TAB>abc'"
            })
    void shouldSayWhereALineIsNotAsExpected(String lines, String message) {
        String text = lines.replace("\\n", "\n").replace("\\t", "\t").replace("HEADER", HEADER);
        String expected = message.replace(
                        "LINE",
                        "expected a number of clusters from 1 on, a tab and a shingle of char:3 of at most 4096 chars")
                .replace(
                        "ORDER",
                        "expected a shingle behind the one before, in the order of their bytes (LC_ALL=C sort)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(text))
                .withMessage("Boilerplate shingles, " + expected);
    }

    @ParameterizedTest
    @CsvSource({"case=lower,case=any", "documents=90,documents=0", "clusters=40,clusters=91", "share=0.05,share=1"})
    void shouldRefuseAHeaderThatCannotBe(String right, String wrong) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(HEADER.replace(right, wrong)))
                .withMessageContaining("'# " + wrong + "'");
    }

    @Test
    void shouldReadNoLineThatIsLongerThanAnyShingle() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(HEADER + "5\t" + "x".repeat(10_000)))
                .withMessageStartingWith(
                        "Boilerplate shingles, line 7: expected a line of at most 4112 chars, found '5<TAB>xxx");
    }

    /** The places of the shingles that count: of all where fewer than 20 distinct ones would be left. */
    private static IntPredicate counting(List<List<String>> shingles, Set<List<String>> common) {
        IntPredicate counts = at -> !common.contains(shingles.get(at));
        long distinct = IntStream.range(0, shingles.size())
                .filter(counts)
                .mapToObj(shingles::get)
                .distinct()
                .count();
        return distinct < BoilerplateShingles.LEFT_MIN ? at -> true : counts;
    }

    private static long[] sorted(long[] hashes) {
        return LongStream.of(hashes).sorted().toArray();
    }

    /** Up to 100 words of a small vocabulary, in several scripts, with stop words. */
    private static String text(SplittableRandom random) {
        String[] words = {"the", "of", "Cat", "sat", "mat", "\u65E5\u672C", "\u00E9t\u00E9", "3.14", "-", "\uD83D\uDE00"
        };
        return NormalizedText.of(IntStream.range(0, 1 + random.nextInt(100))
                .mapToObj(i -> words[random.nextInt(words.length)])
                .collect(Collectors.joining(" ")));
    }

    private static Set<List<String>> someOf(List<List<String>> shingles, SplittableRandom random) {
        int oneIn = 1 + random.nextInt(4);
        return shingles.stream().filter(shingle -> random.nextInt(oneIn) == 0).collect(toSet());
    }

    private static BoilerplateShingles read(String lines) throws IOException {
        return BoilerplateShingles.read(new StringReader(lines));
    }
}
