package io.neardup.engine.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.text.ShingleLists;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Terms;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentFrequenciesTest {
    private static final String HEADER = "# neardup document frequencies: 1000 documents\n";
    private static final DocumentFrequencies FREQUENCIES =
            DocumentFrequencies.of(1_000, Map.of("rain", 12, "the", 1_000, "\u65B0", 12, "of", 870));

    @Test
    void shouldReadWhatItWritesTheMostFrequentFirst() throws IOException {
        StringBuilder written = new StringBuilder();
        FREQUENCIES.write(written);
        assertThat(written).hasToString(HEADER + "1000\tthe\n870\tof\n12\train\n12\t\u65B0\n");
        DocumentFrequencies read = read(written.toString());
        assertThat(read.documents()).isEqualTo(1_000);
        assertThat(read.terms()).isEqualTo(4);
        assertThat(read.fingerprint()).isEqualTo(FREQUENCIES.fingerprint());
        assertThat(DocumentFrequencies.of(10, Map.of("a", 10, "b", 3)).fingerprint())
                .isEqualTo("747b9ddf9bec4f1e")
                .isNotEqualTo(FREQUENCIES.fingerprint());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "...", "rain", "the rain", "the rain of \u65B0"})
    void shouldWeighWhatIsCountedOfAnyText(String text) {
        for (int k = 1; k <= 3; k++) {
            Map<String, Integer> terms = new HashMap<>();
            Terms.ofLength(text, k).forEach(term -> terms.put(term, 1));
            String spec = "word:" + k;

            assertThatCode(() -> DocumentFrequencies.of(1, terms).weights(spec, 1))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void shouldReadAnyOrderAndLineEndAndNoTerms() throws IOException {
        DocumentFrequencies read = read(HEADER.replace("\n", "\r\n") + "12\train\r\n12\t\u65B0\n1000\tthe\r\n870\tof");
        assertThat(read.fingerprint()).isEqualTo(FREQUENCIES.fingerprint());
        assertThat(read(HEADER).terms()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", " ", "5",
                "5\t", "5\t ", "\tterm",
                "term\t5", "5 term", "0\tterm",
                "05\tterm", "+5\tterm", "-5\tterm",
                "5.0\tterm", " 5\tterm", "\u0665\tterm",
                "1001\tterm", "4294967297\tterm", "99999999999999999999\tterm",
                "5\ttwo\tterms", "5\tbe\u0007ll"
            })
    void shouldNameTheLineThatIsWrong(String line) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(HEADER + "900\tof\n" + line + "\n7\train"))
                .withMessageStartingWith("Document frequencies, line 3: expected a number of documents from 1 to 1000,")
                .withMessageContaining("found '");
    }

    @Test
    void shouldRefuseATermTwiceAndShowTheStartOfAWrongLineOnly() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(HEADER + "9\tof\n9\train\n8\tof\n"))
                .withMessage("Document frequencies, line 4: expected a term that no line before has, found '8<TAB>of'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(HEADER + "\u001B[2J\t" + "x".repeat(1_000_000)))
                .withMessageEndingWith("found '?[2J<TAB>" + "x".repeat(31) + "...'");
    }

    @ParameterizedTest
    @CsvSource({
        "0, term, 1, 0 documents: expected at least 1",
        "5, term, 6, expected 1 to 5",
        "5, term, 0, expected 1 to 5",
        "5, 'a\nb', 1, without control characters"
    })
    void shouldRefuseCountsThatCannotBe(int documents, String term, int count, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DocumentFrequencies.of(documents, Map.of(term, count)))
                .withMessageContaining(message);
    }

    /** ln((1 + N) / (1 + df)) + 1. */
    @ParameterizedTest
    @CsvSource({"1000,1", "500,1.6921487", "99,3.3035846", "1,7.2156076", "0,7.9087548"})
    void shouldGiveRareTermsMore(int frequency, double idf) {
        assertThat(FREQUENCIES.idf(frequency)).isEqualTo(idf, within(1e-7));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, Long.MIN_VALUE})
    void shouldWeighShinglesOfAnySeed(long seed) {
        Shingler words = Shingler.of("word:1", seed);
        Shingles shingles = ShingleLists.of(words, "the rain of \u65B0 snow");
        ShingleWeights weights = FREQUENCIES.weights("word:1", seed);
        int[] frequencies = {1_000, 12, 870, 12, 0};
        for (int i = 0; i < frequencies.length; i++) {
            assertThat(weights.of(shingles.hash(i)) / 4096.0)
                    .isEqualTo(FREQUENCIES.idf(frequencies[i]), within(0.5 / 4096));
        }
        Shingler pairs = Shingler.of("word:2", seed);
        ShingleWeights ofPairs =
                DocumentFrequencies.of(9, Map.of("in the", 9, "of rain", 5)).weights("word:2", seed);
        assertThat(ofPairs.of(ShingleLists.of(pairs, "in the").hash(0))).isEqualTo(4096);
        assertThat(ofPairs.of(ShingleLists.of(pairs, "the rain").hash(0))).isGreaterThan(3 * 4096);
    }

    @ParameterizedTest
    @CsvSource({"word:1,in the", "word:1,\u65B0\u805E", "word:2,in the rain", "word:2,rain"})
    void shouldRefuseTermsOfOtherNumbersOfWords(String shingle, String term) {
        DocumentFrequencies frequencies = DocumentFrequencies.of(10, Map.of(term, 1));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> frequencies.weights(shingle, 1))
                .withMessage("Document frequencies, line 2: expected a term of as many words as a shingle of " + shingle
                        + " has, found '" + term + "'");
    }

    private static DocumentFrequencies read(String text) throws IOException {
        return DocumentFrequencies.read(new BufferedReader(new StringReader(text)));
    }
}
