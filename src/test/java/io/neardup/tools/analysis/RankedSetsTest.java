package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingles;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RankedSetsTest {

    @Test
    void shouldLeaveOutWhatOneDocumentHasAloneThoughAnotherHasItsBit() {
        // Hashes of equal high bits share a bit of the filter.
        RankedSets ranked = RankedSets.of(source(set(1, 7), set(2, 7), set()), done -> {});

        assertThat(ranked.ranks()).isOne();
        assertThat(ranked.repeated(0)).containsExactly(0);
        assertThat(ranked.repeated(1)).containsExactly(0);
        assertThat(ranked.repeated(2)).isEmpty();
        assertThat(ranked.size(0)).isEqualTo(2);
        assertThat(ranked.size(2)).isZero();
    }

    @Test
    void shouldRankTheRarerShinglesLower() {
        RankedSets ranked = RankedSets.of(source(set(1, 2, 3), set(1, 2, 4), set(1, 5)), done -> {});

        assertThat(ranked.ranks()).isEqualTo(2);
        assertThat(ranked.repeated(0)).containsExactly(0, 1);
        assertThat(ranked.repeated(2)).containsExactly(1);
    }

    @Test
    void shouldHaveNoRanksWhereNothingIsShared() {
        assertThat(RankedSets.of(source(set(1), set(1L << 40)), done -> {}).ranks())
                .isZero();
        assertThat(RankedSets.of(source(), done -> {}).count()).isZero();
    }

    static ShingleSet set(long... hashes) {
        Shingles shingles = new Shingles();
        for (long hash : hashes) {
            shingles.add(hash);
        }
        return ShingleSet.of(shingles);
    }

    static ShingleSource source(ShingleSet... sets) {
        return new ShingleSource() {
            @Override
            public int documents() {
                return sets.length;
            }

            @Override
            public long shinglesMax() {
                return Stream.of(sets).mapToLong(ShingleSet::size).sum();
            }

            @Override
            public ShingleSet shingles(int document) {
                return sets[document];
            }
        };
    }
}
