package io.neardup.tools.analysis;

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

        assertThat(counts.finish()).isEqualTo(new TermCounts.Finished(3, Map.of("a", 2, "b", 1), 0));
    }

    @Test
    void shouldDropTermsOfOneDocumentFirst() {
        TermCounts counts = new TermCounts(2);

        counts.add(List.of("a", "b", "c"));
        counts.add(List.of("a", "b", "d"));

        assertThat(counts.finish()).isEqualTo(new TermCounts.Finished(2, Map.of("a", 2, "b", 2), 1));
    }

    @Test
    void shouldKeepAsManyAsThereIsRoomForWhereAllAreEquallyRare() {
        TermCounts counts = new TermCounts(3);

        counts.add(List.of("a", "b", "c", "d", "e"));

        TermCounts.Finished finished = counts.finish();
        assertThat(finished.frequencies()).hasSize(3).allSatisfy((term, count) -> assertThat(count)
                .isOne());
        assertThat(finished.errorMax()).isOne();
    }

    @Test
    void shouldDropOnlyWhatIsTooMuchWhileItCounts() {
        TermCounts counts = new TermCounts(2);

        counts.add(List.of("a", "b"));
        counts.add(List.of("a", "b"));
        counts.add(List.of("a", "c", "d", "e"));

        assertThat(counts.finish()).isEqualTo(new TermCounts.Finished(3, Map.of("a", 3, "b", 2), 1));
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
        TermCounts.Finished finished = counts.finish();
        assertThat(finished.frequencies()).hasSize(100);
        finished.frequencies().forEach((term, count) -> assertThat(count)
                .isBetween(exact.getOrDefault(term, 0) - finished.errorMax(), exact.getOrDefault(term, 0)));
        assertThat(exact).allSatisfy((term, count) -> assertThat(
                        count <= finished.errorMax() || finished.frequencies().containsKey(term))
                .describedAs(term)
                .isTrue());
    }

    @Test
    void shouldLeaveOutWhatIsNoWord() {
        TermCounts counts = new TermCounts(10);

        counts.add(List.of("x".repeat(TermCounts.TERM_LENGTH_MAX + 1), "a\u0007b", "word"));

        assertThat(counts.finish().frequencies()).containsOnly(entry("word", 1));
    }
}
