package io.neardup.service.cluster;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;

/**
 * All instances of an application.id, as the cluster knew them at one moment.
 *
 * @param state of the group, as Kafka calls it
 * @param instances what those call themselves that have members
 * @param members stream threads of all instances
 * @param assigned the topics that they read, all together
 * @param lag of each input partition, by topic and partition; empty where that was not answered, as where one of them
 *     has no leader
 * @param storyLag records of story events that are not folded yet, those of a commit being one; empty where no stories
 *     are written, or that was not answered
 * @param askedNanos when, on the clock of {@link System#nanoTime}
 */
public record GroupStatus(
        String state,
        Set<String> instances,
        int members,
        Set<String> assigned,
        Optional<List<Lag>> lag,
        Optional<Long> storyLag,
        long askedNanos) {
    private static final long ANSWER_SECONDS = 5;

    public GroupStatus {
        instances = Set.copyOf(instances);
        assigned = Set.copyOf(assigned);
        lag = lag.map(List::copyOf);
    }

    /**
     * How far an input partition is behind.
     *
     * @param records that are there behind what the group has committed; all of them where that is nothing
     */
    public record Lag(String topic, int partition, long records) {}

    /**
     * Asks the cluster; empty where there is no group.
     *
     * @param input its partitions that the group reads
     * @param storyEvents those of the story events; none where no stories are written
     * @throws StartupException where it does not answer
     */
    public static Optional<GroupStatus> ask(
            ClusterAdmin cluster,
            String group,
            Collection<TopicPartition> input,
            Collection<TopicPartition> storyEvents) {
        ClusterAdmin admin = cluster.within(ANSWER_SECONDS);
        long nowNanos = System.nanoTime();
        return admin.group(group)
                .map(found -> new GroupStatus(
                        found.groupState().toString(),
                        found.members().stream()
                                .map(member -> instance(member.clientId()))
                                .collect(Collectors.toSet()),
                        found.members().size(),
                        ClusterAdmin.assignedTopics(found),
                        lag(admin, group, input),
                        storyEvents.isEmpty()
                                ? Optional.empty()
                                : lag(admin, group, storyEvents).map(GroupStatus::sum),
                        nowNanos));
    }

    private static long sum(List<Lag> lag) {
        return lag.stream().mapToLong(Lag::records).sum();
    }

    private static Optional<List<Lag>> lag(ClusterAdmin admin, String group, Collection<TopicPartition> partitions) {
        try {
            return Optional.of(admin.lag(group, admin.ends(partitions)).entrySet().stream()
                    .map(left -> new Lag(left.getKey().topic(), left.getKey().partition(), left.getValue()))
                    .sorted(Comparator.comparing(Lag::topic).thenComparing(Lag::partition))
                    .toList());
        } catch (StartupException | ApiException e) {
            return Optional.empty();
        }
    }

    /** What an instance calls itself, by a client id of its threads: those of Kafka Streams end with the thread. */
    public static String instance(String clientId) {
        return clientId.replaceFirst("-StreamThread-.*", "");
    }

    /** Whether none joins or leaves. */
    public boolean isStable() {
        return state.equals(GroupState.STABLE.toString());
    }

    public long secondsAgo() {
        return (System.nanoTime() - askedNanos) / 1_000_000_000;
    }
}
