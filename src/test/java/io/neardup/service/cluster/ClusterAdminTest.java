package io.neardup.service.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterAdminTest {
    private static final TopicPartition PARTITION = new TopicPartition("documents", 0);

    /** The first records of a topic may have expired before the group committed anything, or since. */
    @ParameterizedTest
    @CsvSource({"0, 10, 4, 6", "0, 10, , 10", "7, 10, , 3", "7, 10, 4, 3", "7, 10, 9, 1", "7, 10, 12, 0"})
    void shouldCountWhatIsThereAndNotRead(long beginning, long end, @Nullable Long position, long unread) {
        Map<TopicPartition, Long> positions = position == null ? Map.of() : Map.of(PARTITION, position);

        assertThat(ClusterAdmin.unread(Map.of(PARTITION, end), Map.of(PARTITION, beginning), positions))
                .containsExactly(Map.entry(PARTITION, unread));
    }
}
