package io.neardup.streams.input;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.streams.processor.internals.StreamsPartitionAssignor;

/**
 * Shares out the tasks of Kafka Streams as that does by itself, but of the input the partitions of the homes alone. The
 * number of homes is fixed for the life of an index. Where the input has more partitions by now, Kafka Streams would
 * make tasks of them, which have no part in anything else: they are left to a successor.
 */
public final class HomesAssignor extends StreamsPartitionAssignor {
    private static final String HOMES = "neardup.assignor.homes";
    private static final String INPUTS = "neardup.assignor.inputs";
    /** No topic has it in its name. */
    private static final String SEPARATOR = ",";

    private int homes;
    private Set<String> inputs = Set.of();

    /**
     * The settings of a consumer that shares out so.
     *
     * @param settings as Kafka Streams makes them
     */
    public static Map<String, Object> in(Map<String, Object> settings, int homes, Collection<String> inputs) {
        Map<String, Object> more = new HashMap<>(settings);
        more.put("partition.assignment.strategy", HomesAssignor.class.getName());
        more.put(HOMES, homes);
        more.put(INPUTS, String.join(SEPARATOR, inputs));
        return more;
    }

    @Override
    public void configure(Map<String, ?> settings) {
        super.configure(settings);
        homes = Integer.parseInt(String.valueOf(settings.get(HOMES)));
        inputs = Set.of(String.valueOf(settings.get(INPUTS)).split(SEPARATOR));
    }

    @Override
    public GroupAssignment assign(Cluster cluster, GroupSubscription subscriptions) {
        return super.assign(ofHomes(cluster, homes, inputs), subscriptions);
    }

    /** The cluster without the partitions of inputs that are no homes. */
    static Cluster ofHomes(Cluster cluster, int homes, Set<String> inputs) {
        List<PartitionInfo> partitions = new ArrayList<>();
        Map<String, Uuid> ids = new HashMap<>();
        for (String topic : cluster.topics()) {
            ids.put(topic, cluster.topicId(topic));
            cluster.partitionsForTopic(topic).stream()
                    .filter(partition -> !inputs.contains(topic) || partition.partition() < homes)
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
