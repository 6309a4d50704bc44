package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.engine.text.ShingleLists;
import io.neardup.engine.text.ShingleSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllPairsTest {

    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.3, 0.5, 2 / 3.0, 0.7, 0.75, 0.8, 0.9, 1})
    void shouldFindWhatBruteForceFinds(double floor) {
        int found = 0;
        for (long seed = 0; seed < 150; seed++) {
            List<ShingleSet> sets = drawn(new SplittableRandom(seed));

            Map<List<Integer>, Double> pairs = joined(sets, floor);

            assertThat(pairs).describedAs("seed %d", seed).isEqualTo(bruteForce(sets, floor));
            found += pairs.size();
        }
        assertThat(found).isGreaterThan(150);
    }

    @Test
    void shouldFindEqualSetsButNoEmptyOnes() {
        List<ShingleSet> sets = List.of(set(), set(7), set(1, 2, 3), set(), set(7), set(3, 2, 1, 1), set(9));

        assertThat(joined(sets, 0.1)).isEqualTo(Map.of(List.of(1, 4), 1.0, List.of(2, 5), 1.0));
        assertThat(joined(List.of(), 0.5)).isEmpty();
        assertThat(joined(List.of(set(1)), 0.5)).isEmpty();
    }

    @Test
    void shouldTellASimilarityAtTheFloorItself() {
        List<ShingleSet> sets = List.of(set(1, 2, 3, 4, 5, 6, 7), set(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));

        assertThat(joined(sets, 0.7)).isEqualTo(Map.of(List.of(0, 1), 0.7));
        assertThat(joined(sets, Math.nextUp(0.7))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -0.1, 1.1, Double.NaN})
    void shouldRefuseAFloorThatIsNone(double floor) {
        assertThatThrownBy(() -> new AllPairs(ranked(List.of()), floor))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("floor " + floor + ": expected above 0, at most 1");
    }

    @Test
    void shouldSayWhenPrefixesDoNotFit() {
        RankedSets sets = ranked(List.of(set(1, 2), set(1, 2)));

        assertThat(joined(sets, 0.5, 2)).hasSize(1);
        assertThatThrownBy(() -> new AllPairs(sets, 0.5, 1))
                .isInstanceOf(SampleTooLargeException.class)
                .hasMessage("Places of shingles in documents: expected at most 1, found more");
    }

    /** Families of sets that differ a little, among a vocabulary in which some shingles are common. */
    private static List<ShingleSet> drawn(SplittableRandom random) {
        List<ShingleSet> sets = new ArrayList<>();
        int vocabulary = 1 << random.nextInt(2, 9);
        long[] parent = {};
        for (int set = random.nextInt(2, 40); set > 0; set--) {
            parent = random.nextInt(3) == 0 ? fresh(random, vocabulary) : edited(parent, random, vocabulary);
            sets.add(set(parent));
        }
        return sets;
    }

    private static long[] fresh(SplittableRandom random, int vocabulary) {
        return random.longs(random.nextInt(40))
                .map(bits -> shingle((int) (vocabulary * Math.pow((bits >>> 11) * 0x1p-53, 3))))
                .toArray();
    }

    private static long[] edited(long[] parent, SplittableRandom random, int vocabulary) {
        long[] edited = parent.clone();
        double share = random.nextDouble(0.4);
        for (int i = 0; i < edited.length; i++) {
            edited[i] = random.nextDouble() < share ? shingle(random.nextInt(vocabulary)) : edited[i];
        }
        return edited;
    }

    private static long shingle(int number) {
        return new SplittableRandom(number).nextLong();
    }

    private static Map<List<Integer>, Double> joined(List<ShingleSet> sets, double floor) {
        return joined(ranked(sets), floor, Integer.MAX_VALUE);
    }

    private static Map<List<Integer>, Double> joined(RankedSets sets, double floor, int placesMax) {
        Map<List<Integer>, Double> pairs = new HashMap<>();
        new AllPairs(sets, floor, placesMax)
                .join(
                        (first, second, jaccard) -> assertThat(pairs.put(List.of(first, second), jaccard))
                                .describedAs("pair told before")
                                .isNull(),
                        done -> {});
        return pairs;
    }

    private static Map<List<Integer>, Double> bruteForce(List<ShingleSet> sets, double floor) {
        Map<List<Integer>, Double> pairs = new HashMap<>();
        for (int first = 0; first < sets.size(); first++) {
            for (int second = first + 1; second < sets.size(); second++) {
                double jaccard = sets.get(first).jaccard(sets.get(second));
                if (jaccard >= floor) {
                    pairs.put(List.of(first, second), jaccard);
                }
            }
        }
        return pairs;
    }

    private static RankedSets ranked(List<ShingleSet> sets) {
        return RankedSets.of(source(sets.toArray(ShingleSet[]::new)), done -> {});
    }

    // ---- the ranks of shingles

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

    private static ShingleSet set(long... hashes) {
        return ShingleSet.of(ShingleLists.of(hashes));
    }

    private static ShingleSource source(ShingleSet... sets) {
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

    // ---- the numbers of shingles

    @Test
    void shouldKeepNumbersAndCountsWhileItGrows() {
        ShingleNumbers numbers = new ShingleNumbers();
        long[] hashes = new SplittableRandom(1).longs(5_000).toArray();

        for (int i = 0; i < hashes.length; i++) {
            assertThat(numbers.meet(hashes[i])).isEqualTo(i);
        }
        for (int i = 0; i < hashes.length; i += 2) {
            assertThat(numbers.meet(hashes[i])).isEqualTo(i);
        }

        assertThat(numbers.counts()).hasSize(5_000).startsWith(2, 1, 2, 1).endsWith(2, 1);
    }

    @Test
    void shouldSayHowManyAreTooMany() {
        ShingleNumbers numbers = new ShingleNumbers(2_048);
        for (long hash = 0; hash < 1_024; hash++) {
            numbers.meet(hash);
        }

        assertThat(numbers.meet(5)).isEqualTo(5);
        assertThatThrownBy(() -> numbers.meet(1_024))
                .isInstanceOf(SampleTooLargeException.class)
                .hasMessage("Different shingles of all documents: expected at most 1024, found more");
    }
}
