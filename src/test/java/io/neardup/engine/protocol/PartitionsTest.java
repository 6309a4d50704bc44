package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.engine.lsh.BandKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartitionsTest {

    @Test
    void shouldGiveEveryBandToExactlyOneShareThatOwnsItAndEveryPartitionSomeBand() {
        Random random = new Random(1);
        for (int indexPartitions = 1; indexPartitions <= 40; indexPartitions++) {
            for (int bands = 1; bands <= 33; bands++) {
                Partitions partitions = new Partitions(indexPartitions, bands);
                assertThat(IntStream.range(0, indexPartitions).mapToObj(partitions::bandsOf))
                        .noneMatch(owned -> owned.length == 0);
                for (int i = 0; i < 3; i++) {
                    checkSplit(partitions, keys(random, bands));
                }
            }
        }
    }

    private static void checkSplit(Partitions partitions, BandKeys keys) {
        List<Long> shared = new ArrayList<>();
        Set<Integer> receivers = new HashSet<>();
        for (Partitions.Share share : partitions.split(keys)) {
            int[] owned = partitions.bandsOf(share.indexPartition());
            assertThat(receivers.add(share.indexPartition()))
                    .describedAs("one share a partition")
                    .isTrue();
            assertThat(share.indexPartition()).isBetween(0, partitions.indexPartitions() - 1);
            assertThat(owned).isSorted().hasSize(share.keys().bands());
            for (int i = 0; i < owned.length; i++) {
                assertThat(share.keys().key(i)).isEqualTo(keys.key(owned[i]));
                shared.add(share.keys().key(i));
            }
        }
        // The keys of different bands differ, so that they name their band.
        assertThat(shared).hasSize(keys.bands()).doesNotHaveDuplicates();
        assertThat(partitions.owners(keys).stream()).containsExactlyInAnyOrderElementsOf(receivers);
    }

    private static BandKeys keys(Random random, int bands) {
        return BandKeys.owning(random.longs(bands).toArray());
    }

    @ParameterizedTest
    @CsvSource({"7, 2", "16, 5", "1024, 20", "3, 1"})
    void shouldSpreadTheKeysOfABandOverItsPartitions(int indexPartitions, int bands) {
        Partitions partitions = new Partitions(indexPartitions, bands);
        Random random = new Random(2);
        int documents = 200 * indexPartitions;
        int[] shares = new int[indexPartitions];

        for (int i = 0; i < documents; i++) {
            partitions.split(keys(random, bands)).forEach(share -> shares[share.indexPartition()]++);
        }

        int splitsMin = indexPartitions / bands;
        int splitsMax = splitsMin + 1;
        assertThat(Arrays.stream(shares).boxed()).allSatisfy(count -> assertThat(count)
                .isBetween(documents / splitsMax * 3 / 4, documents / splitsMin * 5 / 4));
    }

    @ParameterizedTest
    @CsvSource({
        // An index outlives the program: who owns what must never change.
        "1, 3, '0:10,11,12'",
        "2, 3, '0:10,12 1:11'",
        "3, 3, '0:10 1:11 2:12'",
        "4, 3, '0:10 1:11 2:12'",
        "5, 3, '0:10 4:11 2:12'",
        "7, 3, '3:10 4:11 2:12'",
        "16, 3, '12:10 4:11 8:12'",
    })
    void shouldKeepWhoOwnsWhat(int indexPartitions, int bands, String expected) {
        StringBuilder shares = new StringBuilder();
        for (Partitions.Share share :
                new Partitions(indexPartitions, bands).split(BandKeys.owning(new long[] {10, 11, 12}))) {
            shares.append(shares.isEmpty() ? "" : " ").append(share.indexPartition());
            for (int i = 0; i < share.keys().bands(); i++) {
                shares.append(i == 0 ? ':' : ',').append(share.keys().key(i));
            }
        }

        assertThat(shares).hasToString(expected);
    }

    @Test
    void shouldNameWhatItExpected() {
        assertThatThrownBy(() -> new Partitions(0, 3)).hasMessageContaining("found 0 index partitions and 3 bands");
        assertThatThrownBy(() -> new Partitions(2, 3).split(BandKeys.owning(new long[2])))
                .hasMessage("expected keys of 3 bands, found 2");
    }
}
