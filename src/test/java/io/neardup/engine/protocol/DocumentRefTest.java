package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentRefTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "0, 281474976710655, 0000ffffffffffff",
        "1, 0, 0001000000000000",
        "32767, 281474976710655, 7fffffffffffffff",
    })
    void shouldFitIntoANonNegativeLong(int coordinator, long sequence, String packed) {
        DocumentRef ref = new DocumentRef(coordinator, sequence);

        assertThat(ref.packed()).isEqualTo(Long.parseLong(packed, 16)).isNotNegative();
        assertThat(DocumentRef.unpack(ref.packed())).isEqualTo(ref);
    }

    @Test
    void shouldComeInTheOrderOfCoordinatorsThenSequences() {
        List<DocumentRef> inOrder = List.of(
                new DocumentRef(0, 0),
                new DocumentRef(0, 1),
                new DocumentRef(0, DocumentRef.SEQUENCE_MAX),
                new DocumentRef(1, 0),
                new DocumentRef(DocumentRef.COORDINATORS_MAX - 1, DocumentRef.SEQUENCE_MAX));

        assertThat(inOrder).isSorted().isSortedAccordingTo((a, b) -> Long.compare(a.packed(), b.packed()));
    }

    @ParameterizedTest
    @CsvSource({"-1, 0, coordinator", "32768, 0, coordinator", "0, -1, sequence", "0, 281474976710656, sequence"})
    void shouldRefuseWhatDoesNotFit(int coordinator, long sequence, String field) {
        assertThatThrownBy(() -> new DocumentRef(coordinator, sequence))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(field + ": expected 0 to ");
    }

    @Test
    void shouldArriveInTheOrderOfTimesThenOfRefs() {
        List<ArrivalOrder> oldestFirst = List.of(
                new ArrivalOrder(0, new DocumentRef(9, 9)),
                new ArrivalOrder(5, new DocumentRef(0, 7)),
                new ArrivalOrder(5, new DocumentRef(0, 8)),
                new ArrivalOrder(5, new DocumentRef(1, 0)),
                new ArrivalOrder(Long.MAX_VALUE, new DocumentRef(0, 0)));

        for (int i = 0; i < oldestFirst.size(); i++) {
            for (int j = 0; j < oldestFirst.size(); j++) {
                assertThat(oldestFirst.get(i).isOlderThan(oldestFirst.get(j))).isEqualTo(i < j);
            }
        }
    }

    /** Of 4,096 in as many places by chance, 2,589 would not share theirs with an earlier one. */
    @Test
    void shouldSpreadWhereFewSequenceNumbersOfABlockAreUsed() {
        long places = IntStream.range(0, 4_096)
                .map(i -> new DocumentRef(3, i / 16 * 1_024L + i % 16).hashCode())
                .map(hash -> (hash ^ hash >>> 16) & 4_095) // As HashMap has it.
                .distinct()
                .count();

        assertThat(places).isGreaterThan(2_300);
    }

    @Test
    void shouldKeepNeighboursSideBySide() {
        long groups = IntStream.range(0, 1_024)
                .map(i -> new DocumentRef(3, i).hashCode())
                .map(hash -> (hash ^ hash >>> 16) >> 4) // As HashMap has it.
                .distinct()
                .count();

        assertThat(groups).isEqualTo(1_024 / 16);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 60, 500})
    void shouldInterleaveListsAndTakeEachRefOnce(int max) {
        SplittableRandom random = new SplittableRandom(max);
        List<DocumentRefs> lists = Stream.generate(
                        () -> DocumentRefs.of(random.ints(random.nextInt(max + 1), 0, 1 + max * 2)
                                .mapToObj(number -> new DocumentRef(number % 3, number))
                                .toList()))
                .limit(4)
                .toList();
        Set<DocumentRef> expected = new LinkedHashSet<>();
        for (int turn = 0; turn < max; turn++) {
            for (DocumentRefs list : lists) {
                list.stream().skip(turn).findFirst().ifPresent(expected::add);
            }
        }

        assertThat(DocumentRefs.interleaved(lists)).containsExactlyElementsOf(expected);
    }
}
