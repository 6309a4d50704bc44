package io.neardup.streams.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class HomesAssignorTest {
    private static final Node NODE = new Node(1, "here", 1);
    private static final Uuid ID = Uuid.randomUuid();

    private static Cluster cluster(Map<String, Integer> partitions) {
        List<PartitionInfo> all = partitions.entrySet().stream()
                .flatMap(topic -> IntStream.range(0, topic.getValue())
                        .mapToObj(
                                p -> new PartitionInfo(topic.getKey(), p, NODE, new Node[] {NODE}, new Node[] {NODE})))
                .toList();
        return new Cluster(
                "cluster",
                List.of(NODE),
                all,
                Set.of("secret"),
                Set.of("wrong"),
                Set.of(),
                NODE,
                Map.of("documents", ID));
    }

    private static List<Integer> partitions(Cluster cluster, String topic) {
        return cluster.partitionsForTopic(topic).stream()
                .map(PartitionInfo::partition)
                .sorted()
                .toList();
    }

    @Test
    void shouldLeaveAloneThePartitionsOfAnInputThatAreNoHomes() {
        Cluster grown = cluster(Map.of("documents", 5, "more", 4, "lookups", 8, "narrow", 1));

        Cluster shared = HomesAssignor.ofHomes(grown, 2, Set.of("documents", "more", "narrow"));

        assertThat(partitions(shared, "documents")).containsExactly(0, 1);
        assertThat(partitions(shared, "more")).containsExactly(0, 1);
        assertThat(partitions(shared, "narrow")).containsExactly(0);
        assertThat(partitions(shared, "lookups")).as("no input").hasSize(8);
        assertThat(shared.topicId("documents")).isEqualTo(ID);
        assertThat(shared.unauthorizedTopics()).containsExactly("secret");
        assertThat(shared.invalidTopics()).containsExactly("wrong");
        assertThat(shared.nodes()).containsExactly(NODE);
        assertThat(shared.controller()).isEqualTo(NODE);
    }

    @Test
    void shouldShareAllOutWhereNothingHasGrown() {
        Cluster cluster = cluster(Map.of("documents", 3, "replies", 3));

        Cluster shared = HomesAssignor.ofHomes(cluster, 3, Set.of("documents"));

        assertThat(Stream.of("documents", "replies").map(topic -> partitions(shared, topic)))
                .containsOnly(List.of(0, 1, 2));
    }

    @Test
    void shouldBeWhatKafkaStreamsSharesOutWithAndKeepItsSettings() {
        Map<String, Object> settings = HomesAssignor.in(Map.of("group.id", "neardup"), 4, List.of("documents", "more"));

        assertThat(settings)
                .containsEntry("group.id", "neardup")
                .containsEntry("partition.assignment.strategy", HomesAssignor.class.getName());
    }
}
