package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingles;
import java.util.ArrayList;
import java.util.List;
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
    void shouldHaveNoRanksWhereNothingIsShared() {
        assertThat(RankedSets.of(source(set(1), set(1L << 40)), done -> {}).ranks())
                .isZero();
        assertThat(RankedSets.of(source(), done -> {}).count()).isZero();
    }

    @Test
    void shouldTellOfBothReadings() {
        List<Integer> told = new ArrayList<>();

        RankedSets.of(source(set(1), set(2)), told::add);

        assertThat(told).containsExactly(1, 2, 3, 4);
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
