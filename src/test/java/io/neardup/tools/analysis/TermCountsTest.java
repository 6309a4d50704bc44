package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.tools.analysis.TermCounts.Finished;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TermCountsTest {

    static List<Arguments> counts() {
        String noWord = "x".repeat(TermCounts.TERM_LENGTH_MAX + 1) + " a\u0007b word";
        return List.of(
                Arguments.of("documents and not repeats", 10, "a b a|a|", new Finished(Map.of("a", 2, "b", 1), 0)),
                Arguments.of("no words", 10, noWord, new Finished(Map.of("word", 1), 0)),
                Arguments.of("terms of one first", 2, "a b c|a b d", new Finished(Map.of("a", 2, "b", 2), 1)),
                Arguments.of("too many", 2, "a b|a b|a c d e", new Finished(Map.of("a", 3, "b", 2), 1)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("counts")
    void shouldCountDocumentsOfATermAndDropTheRarest(String what, int termsMax, String documents, Finished expected) {
        TermCounts counts = new TermCounts(termsMax);

        for (String document : documents.split("\\|", -1)) {
            counts.add(document.isEmpty() ? List.of() : List.of(document.split(" ", -1)));
        }

        assertThat(counts.finish()).as(what).isEqualTo(expected);
    }

    @Test
    void shouldKeepCountsWithinTheErrorAndTermsWithinTheBound() {
        TermCounts counts = new TermCounts(100);
        Map<String, Integer> exact = new HashMap<>();

        for (String document : TextLines.generated(300, 1)) {
            List<String> terms = List.of(document.split(" ", -1));
            counts.add(terms);
            new HashSet<>(terms).forEach(term -> exact.merge(term, 1, Integer::sum));
        }

        assertThat(exact).hasSizeGreaterThan(1_000);
        Finished finished = counts.finish();
        assertThat(finished.frequencies()).hasSizeBetween(50, 100);
        finished.frequencies().forEach((term, count) -> assertThat(count)
                .isBetween(exact.getOrDefault(term, 0) - finished.errorMax(), exact.getOrDefault(term, 0)));
        assertThat(exact).allSatisfy((term, count) -> assertThat(
                        count <= finished.errorMax() || finished.frequencies().containsKey(term))
                .describedAs(term)
                .isTrue());
    }
}
