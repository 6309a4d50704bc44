package io.neardup.streams.input;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.internals.StreamsPartitionAssignor;
import org.apache.kafka.streams.processor.internals.assignment.AssignmentInfo;

/**
 * Assigns tasks as Kafka Streams does, but of the input topics only partitions that have a coordinator. Their number is
 * fixed for the life of an index; partitions added later are left to a successor.
 *
 * <p>An input topic that some member does not read is assigned to nobody until all read it. Kafka Streams assigns by
 * the settings of the member that leads: one that got a partition of a topic unknown to it would join again, and get
 * it again, without end.
 */
public final class CoordinatorAssignor extends StreamsPartitionAssignor {
    private static final String COORDINATORS = "neardup.assignor.coordinators";
    private static final String INPUTS = "neardup.assignor.inputs";
    /** No topic has it in its name. */
    private static final String SEPARATOR = ",";

    private int coordinators;
    private Set<String> inputs = Set.of();

    /**
     * The settings of a consumer that assigns so.
     *
     * @param settings as Kafka Streams makes them
     */
    public static Map<String, Object> settingsWith(
            Map<String, Object> settings, int coordinators, Collection<String> inputs) {
        Map<String, Object> more = new HashMap<>(settings);
        more.put("partition.assignment.strategy", CoordinatorAssignor.class.getName());
        more.put(COORDINATORS, coordinators);
        more.put(INPUTS, String.join(SEPARATOR, inputs));
        return more;
    }

    @Override
    public void configure(Map<String, ?> settings) {
        super.configure(settings);
        coordinators = Integer.parseInt(String.valueOf(settings.get(COORDINATORS)));
        inputs = Set.of(String.valueOf(settings.get(INPUTS)).split(SEPARATOR));
    }

    @Override
    public GroupAssignment assign(Cluster cluster, GroupSubscription subscriptions) {
        return ofAllMembers(
                super.assign(ofCoordinators(cluster, coordinators, inputs), subscriptions), subscriptions, inputs);
    }

    /** The assignment without the inputs that some member does not read. */
    static GroupAssignment ofAllMembers(GroupAssignment assigned, GroupSubscription subscriptions, Set<String> inputs) {
        Set<String> readByAll = new HashSet<>(inputs);
        subscriptions.groupSubscription().values().forEach(member -> readByAll.retainAll(member.topics()));
        Set<String> notReadByAll = new HashSet<>(inputs);
        notReadByAll.removeAll(readByAll);
        if (notReadByAll.isEmpty()) {
            return assigned;
        }
        Map<String, Assignment> without = new HashMap<>();
        assigned.groupAssignment().forEach((member, all) -> without.put(member, without(notReadByAll, all)));
        return new GroupAssignment(without);
    }

    /** The partitions stand in the order of the tasks that they belong to, one for each of them. */
    private static Assignment without(Set<String> topics, Assignment all) {
        AssignmentInfo info = AssignmentInfo.decode(all.userData().duplicate());
        List<TopicPartition> partitions = new ArrayList<>();
        List<TaskId> tasks = new ArrayList<>();
        for (int i = 0; i < all.partitions().size(); i++) {
            TopicPartition partition = all.partitions().get(i);
            if (!topics.contains(partition.topic())) {
                partitions.add(partition);
                tasks.add(info.activeTasks().get(i));
            }
        }
        AssignmentInfo rest = new AssignmentInfo(
                info.version(),
                info.commonlySupportedVersion(),
                tasks,
                info.standbyTasks(),
                info.partitionsByHost(),
                info.standbyPartitionByHost(),
                info.errCode());
        rest.setNextRebalanceTime(info.nextRebalanceMs());
        return new Assignment(partitions, rest.encode());
    }

    /** The cluster without the partitions of inputs that are no coordinators. */
    static Cluster ofCoordinators(Cluster cluster, int coordinators, Set<String> inputs) {
        List<PartitionInfo> partitions = new ArrayList<>();
        Map<String, Uuid> ids = new HashMap<>();
        for (String topic : cluster.topics()) {
            ids.put(topic, cluster.topicId(topic));
            cluster.partitionsForTopic(topic).stream()
                    .filter(partition -> !inputs.contains(topic) || partition.partition() < coordinators)
                    .forEach(partitions::add);
        }
        return new Cluster(
                cluster.clusterResource().clusterId(),
                cluster.nodes(),
                partitions,
                cluster.unauthorizedTopics(),
                cluster.invalidTopics(),
                cluster.internalTopics(),
                cluster.controller(),
                ids);
    }
}
