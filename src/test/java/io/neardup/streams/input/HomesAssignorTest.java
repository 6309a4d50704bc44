package io.neardup.streams.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.internals.assignment.AssignmentInfo;
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

    @Test
    void shouldTakeTheTasksOfATopicThatNotAllReadOutOfAnAssignment() {
        List<TaskId> tasks = List.of(new TaskId(0, 0), new TaskId(0, 0), new TaskId(1, 5));
        List<TopicPartition> partitions = List.of(
                new TopicPartition("documents", 0), new TopicPartition("added", 0), new TopicPartition("lookups", 5));
        Map<TaskId, Set<TopicPartition>> standby = Map.of(new TaskId(0, 1), Set.of(new TopicPartition("documents", 1)));
        AssignmentInfo info = new AssignmentInfo(11, 11, tasks, standby, Map.of(), Map.of(), 0);
        info.setNextRebalanceTime(42);

        Assignment left = HomesAssignor.without(Set.of("added"), new Assignment(partitions, info.encode()));

        assertThat(left.partitions())
                .containsExactly(new TopicPartition("documents", 0), new TopicPartition("lookups", 5));
        AssignmentInfo told = AssignmentInfo.decode(left.userData());
        assertThat(told.activeTasks()).containsExactly(new TaskId(0, 0), new TaskId(1, 5));
        assertThat(told.standbyTasks()).containsOnlyKeys(new TaskId(0, 1));
        assertThat(told.nextRebalanceMs()).isEqualTo(42);
    }
}
