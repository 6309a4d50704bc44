package io.neardup.streams.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupAssignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupSubscription;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.internals.assignment.AssignmentInfo;
import org.junit.jupiter.api.Test;

class CoordinatorAssignorTest {
    private static final Node NODE = new Node(1, "here", 1);
    /** Of the encoding of an assignment. */
    private static final int VERSION = 11;

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
    void shouldLeaveAloneThePartitionsOfAnInputThatAreNoCoordinators() {
        Cluster grown = cluster(Map.of("documents", 5, "more", 4, "lookups", 8, "narrow", 1));

        Cluster shared = CoordinatorAssignor.ofCoordinators(grown, 2, Set.of("documents", "more", "narrow"));

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

    private static Assignment assignment(Map<TopicPartition, TaskId> tasks) {
        List<TopicPartition> partitions = tasks.keySet().stream().toList();
        AssignmentInfo info = new AssignmentInfo(
                VERSION,
                VERSION,
                partitions.stream().map(tasks::get).toList(),
                Map.of(new TaskId(1, 1), Set.of(new TopicPartition("lookups", 1))),
                Map.of(),
                Map.of(),
                0);
        info.setNextRebalanceTime(42);
        return new Assignment(partitions, info.encode());
    }

    private static Subscription reading(String... topics) {
        return new Subscription(List.of(topics));
    }

    private static Map<TopicPartition, TaskId> tasks(Object... partitionsAndTasks) {
        Map<TopicPartition, TaskId> tasks = new LinkedHashMap<>();
        for (int i = 0; i < partitionsAndTasks.length; i += 3) {
            String topic = (String) partitionsAndTasks[i];
            int partition = (int) partitionsAndTasks[i + 1];
            tasks.put(new TopicPartition(topic, partition), new TaskId((int) partitionsAndTasks[i + 2], partition));
        }
        return tasks;
    }

    @Test
    void shouldLeaveOutAnInputThatSomeMemberDoesNotRead() {
        Map<String, Assignment> shared = Map.of(
                "a", assignment(tasks("documents", 0, 0, "more", 0, 0, "lookups", 0, 1)),
                "b", assignment(tasks("more", 1, 0, "documents", 1, 0)));
        // The lookups are no input: of them each reads what the leader has it read.
        GroupSubscription members =
                new GroupSubscription(Map.of("a", reading("documents", "more", "lookups"), "b", reading("documents")));

        GroupAssignment assigned =
                CoordinatorAssignor.ofAllMembers(new GroupAssignment(shared), members, Set.of("documents", "more"));

        // As each member decodes it: the partitions stand in the order of their tasks.
        assertThat(assigned.groupAssignment())
                .usingRecursiveComparison()
                .isEqualTo(Map.of(
                        "a", assignment(tasks("documents", 0, 0, "lookups", 0, 1)),
                        "b", assignment(tasks("documents", 1, 0))));
    }
}
