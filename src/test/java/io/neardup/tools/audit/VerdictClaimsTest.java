package io.neardup.tools.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.similarity.Similarity;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Position;
import io.neardup.record.Verdict.Repeated;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class VerdictClaimsTest {
    private static final String SETTINGS = "0123456789abcdef";

    private final VerdictClaims claims = new VerdictClaims(0.7, SETTINGS, 1 << 20);
    private int offset;

    private Verdict verdict(String id, @Nullable Repeated repeated, String settings) {
        return new Verdict(
                new Position("documents", 0, offset++),
                1_000,
                id,
                repeated == null ? Outcome.UNIQUE : Outcome.DUPLICATE,
                repeated,
                null,
                List.of(),
                settings,
                null);
    }

    private Verdict unique(String id) {
        return verdict(id, null, SETTINGS);
    }

    private Verdict duplicate(String id, String original, double similarity) {
        return verdict(id, new Repeated(original, Similarity.of(similarity), null), SETTINGS);
    }

    @Test
    void shouldFindTheOriginalBeforeItsDuplicateOrBehindIt() {
        claims.take(unique("a"));
        claims.take(duplicate("b", "a", 0.8));
        claims.take(duplicate("d", "c", 0.7));
        claims.take(unique("c"));
        claims.end(true);

        assertThat(claims.breaks().isEmpty()).isTrue();
        assertThat(claims.judged()).isEqualTo(2);
    }

    @Test
    void shouldBreakWhereADuplicateNamesADuplicateOrNothing() {
        claims.take(unique("a"));
        claims.take(duplicate("b", "a", 0.8));
        claims.take(duplicate("c", "b", 0.8));
        claims.take(duplicate("d", "nobody", 0.8));
        claims.end(true);

        assertThat(claims.breaks().kinds()).containsOnlyKeys("no original");
        assertThat(claims.breaks().count()).isEqualTo(2);
    }

    @Test
    void shouldLeaveOutWhatHasNotLeftAndWhatMayBeDeleted() {
        claims.take(duplicate("b", "later", 0.8));
        claims.take(duplicate("c", "deleted", 0.8));
        claims.noteNotLeft("later");
        claims.end(false);

        assertThat(claims.breaks().isEmpty()).isTrue();
        assertThat(claims.notYet()).isEqualTo(1);
        assertThat(claims.notJudged()).isEqualTo(1);
    }

    @Test
    void shouldHoldTheThresholdForVerdictsOfTheseSettingsAlone() {
        claims.take(unique("a"));
        claims.take(duplicate("b", "a", 0.69));
        claims.take(verdict("c", new Repeated("a", Similarity.of(0.5), null), "another"));
        claims.end(true);

        assertThat(claims.breaks().kinds()).containsOnlyKeys("below threshold");
        assertThat(claims.breaks().count()).isEqualTo(1);
        assertThat(claims.underOthers()).isEqualTo(1);
    }

    @Test
    void shouldTakeTheWordOfAVerdictForASeed() {
        claims.take(verdict("b", new Repeated("old", Similarity.of(0.9), "corpus"), SETTINGS));
        claims.end(true);

        assertThat(claims.breaks().isEmpty()).isTrue();
        assertThat(claims.ofSeeds()).isEqualTo(1);
    }

    @Test
    void shouldLookAtAShareWhereNotAllFit() {
        VerdictClaims few = new VerdictClaims(0.7, SETTINGS, 10_000);
        for (int i = 0; i < 1_000; i++) {
            few.take(unique("u" + i));
            few.take(duplicate("d" + i, i % 2 == 0 ? "u" + i : "nobody" + i, 0.8));
        }
        few.end(true);

        assertThat(few.classes()).isGreaterThan(2);
        assertThat(few.breaks().kinds()).containsOnlyKeys("no original");
        assertThat(few.breaks().count()).isBetween(1L, 500L / few.classes() * 3);
        assertThat(few.judged()).isGreaterThan(0);
    }
}
