package io.neardup.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoutedTest {

    @ParameterizedTest
    @CsvSource({"0, 1, 0", "3, 1, 0", "3, 4, 3", "7, 4, 3", "31999, 1000, 999"})
    void shouldGoToItsPartitionModuloThoseOfTheTopic(int partition, int partitions, int expected) {
        Routed routed = new Routed(partition, new byte[] {1, 2, 3});

        assertThat(Routed.PARTITIONER.partitions("any", routed, new byte[0], partitions))
                .contains(Set.of(expected));
    }

    @Test
    void shouldGoToEachPartitionWhereItIsForAll() {
        assertThat(Routed.PARTITIONER.partitions("any", new Routed(Routed.ALL, null), new byte[0], 3))
                .contains(Set.of(0, 1, 2));
    }

    @Test
    void shouldWriteTheKeyItCameWith() {
        try (Routed.KeySerializer serializer = new Routed.KeySerializer()) {
            assertThat(serializer.serialize("any", new Routed(3, new byte[] {1, 2})))
                    .containsExactly(1, 2);
            assertThat(serializer.serialize("any", new Routed(3, null))).isNull();
        }
    }
}
