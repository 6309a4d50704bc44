package io.neardup.service.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.lifecycle.Rights;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.apache.kafka.common.resource.PatternType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterAdminTest {
    private static final TopicPartition PARTITION = new TopicPartition("documents", 0);

    /** The first records of a topic may have expired before the group committed anything, or since. */
    @ParameterizedTest
    @CsvSource({"0, 10, 4, 6", "0, 10, , 10", "7, 10, , 3", "7, 10, 4, 3", "7, 10, 9, 1", "7, 10, 12, 0"})
    void shouldCountWhatIsThereAndNotRead(long beginning, long end, @Nullable Long position, long lag) {
        Map<TopicPartition, Long> positions = position == null ? Map.of() : Map.of(PARTITION, position);

        assertThat(ClusterAdmin.lag(Map.of(PARTITION, end), Map.of(PARTITION, beginning), positions))
                .containsExactly(Map.entry(PARTITION, lag));
    }

    @Test
    void shouldTellWhatTheClusterRefusesWithoutAdviceOnItsAddress() {
        KafkaFutureImpl<Void> refused = new KafkaFutureImpl<>();
        refused.completeExceptionally(new InvalidReplicationFactorException("larger than available brokers: 1"));

        try (ClusterAdmin admin = new ClusterAdmin(Admin.create(Map.of("bootstrap.servers", "127.0.0.1:1")), "here")) {
            assertThatThrownBy(() -> admin.answer(refused))
                    .isInstanceOf(StartupException.class)
                    .hasMessageContaining("refused: InvalidReplicationFactorException: larger than available brokers")
                    .hasMessageNotContaining("the address");
        }
    }

    // ---- what its user may do

    @Test
    void shouldNeedWhatTheChapterLists() throws IOException {
        NeardupConfig config = NeardupConfig.forCluster(
                new Settings().pairs(List.of("bootstrap.servers=nowhere:1", "application.id=news")));

        assertThat(AccessCheck.needed(config).stream().flatMap(right -> right.operations().stream()
                        .map(operation ->
                                right.resource() + " " + right.name() + " " + right.isPrefix() + " " + operation)))
                .containsExactlyInAnyOrderElementsOf(Rights.documented("news").stream()
                        .map(right -> right.pattern().resourceType() + " "
                                + right.pattern().name() + " "
                                + (right.pattern().patternType() == PatternType.PREFIXED) + " "
                                + right.entry().operation())
                        .toList());
    }
}
