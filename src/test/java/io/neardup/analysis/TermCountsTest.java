package io.neardup.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TermCountsTest {

    @Test
    void shouldCountDocumentsAndNotRepeats() {
        TermCounts counts = new TermCounts(10);

        counts.add(List.of("a", "b", "a"));
        counts.add(List.of("a"));
        counts.add(List.of());

        assertThat(counts.documents()).isEqualTo(3);
        assertThat(counts.frequencies()).containsOnly(entry("a", 2), entry("b", 1));
        assertThat(counts.errorMax()).isZero();
    }

    @Test
    void shouldDropTermsOfOneDocumentFirst() {
        TermCounts counts = new TermCounts(2);

        counts.add(List.of("a", "b", "c"));
        counts.add(List.of("a", "b", "d"));

        assertThat(counts.frequencies()).containsOnly(entry("a", 2), entry("b", 2));
        assertThat(counts.dropped()).isEqualTo(2);
        assertThat(counts.errorMax()).isEqualTo(1);
    }

    @Test
    void shouldKeepCountsWithinTheErrorAndTermsWithinTheBound() {
        TermCounts counts = new TermCounts(100);
        Map<String, Integer> exact = new HashMap<>();

        for (String document : Generated.documents(300, 1)) {
            List<String> terms = List.of(document.split(" "));
            counts.add(terms);
            new HashSet<>(terms).forEach(term -> exact.merge(term, 1, Integer::sum));
        }

        assertThat(exact).hasSizeGreaterThan(1_000);
        assertThat(counts.frequencies()).isNotEmpty().hasSizeLessThanOrEqualTo(100);
        counts.frequencies().forEach((term, count) -> assertThat(count)
                .isBetween(exact.getOrDefault(term, 0) - counts.errorMax(), exact.getOrDefault(term, 0)));
        assertThat(exact).allSatisfy((term, count) -> assertThat(
                        count <= counts.errorMax() || counts.frequencies().containsKey(term))
                .describedAs(term)
                .isTrue());
    }

    @Test
    void shouldLeaveOutWhatIsNoWord() {
        TermCounts counts = new TermCounts(10);

        counts.add(List.of("x".repeat(TermCounts.TERM_LENGTH_MAX + 1), "a\u0007b", "word"));

        assertThat(counts.frequencies()).containsOnly(entry("word", 1));
    }
}
