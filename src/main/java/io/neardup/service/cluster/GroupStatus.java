package io.neardup.service.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * All instances of an application.id, as the cluster knew them at one moment.
 *
 * @param state of the group, as Kafka calls it
 * @param instances names and hosts of those that have members
 * @param running the names of these alone
 * @param members stream threads of all instances
 * @param assigned the topics that they read, all together
 * @param lag of each input partition, by topic and partition; empty where that was not answered, as where one of them
 *     has no leader
 * @param askedNanos when, on the clock of {@link System#nanoTime}
 */
public record GroupStatus(
        String state,
        Set<String> instances,
        Set<String> running,
        int members,
        Set<String> assigned,
        Optional<List<Lag>> lag,
        long askedNanos) {
    private static final long ANSWER_SECONDS = 5;
    private static final String AT = " at ";

    public GroupStatus {
        instances = Set.copyOf(instances);
        running = Set.copyOf(running);
        assigned = Set.copyOf(assigned);
        lag = lag.map(List::copyOf);
    }

    /**
     * How far an input partition is behind.
     *
     * @param records behind what the group has committed
     */
    public record Lag(String topic, int partition, long records) {}

    /**
     * Asks the cluster, all at once.
     *
     * @param input the partitions that the group reads
     */
    public static GroupStatus ask(Admin admin, String group, Collection<TopicPartition> input)
            throws ExecutionException, InterruptedException, TimeoutException {
        long nowNanos = System.nanoTime();
        KafkaFuture<ConsumerGroupDescription> described = Objects.requireNonNull(
                admin.describeConsumerGroups(List.of(group)).describedGroups().get(group), group);
        KafkaFuture<Map<TopicPartition, OffsetAndMetadata>> committed =
                admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata();
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        input.forEach(partition -> latest.put(partition, OffsetSpec.latest()));
        KafkaFuture<Map<TopicPartition, ListOffsetsResultInfo>> ends =
                admin.listOffsets(latest).all();
        ConsumerGroupDescription found = described.get(ANSWER_SECONDS, TimeUnit.SECONDS);
        return of(found, lag(committed, ends), nowNanos);
    }

    private static GroupStatus of(ConsumerGroupDescription found, Optional<List<Lag>> lag, long nowNanos) {
        return new GroupStatus(
                found.groupState().toString(),
                found.members().stream()
                        .map(member -> called(instance(member.clientId()), member.host()))
                        .collect(Collectors.toSet()),
                found.members().stream()
                        .map(member -> instance(member.clientId()))
                        .collect(Collectors.toSet()),
                found.members().size(),
                found.members().stream()
                        .flatMap(member -> member.assignment().topicPartitions().stream())
                        .map(TopicPartition::topic)
                        .collect(Collectors.toCollection(TreeSet::new)),
                lag,
                nowNanos);
    }

    private static Optional<List<Lag>> lag(
            KafkaFuture<Map<TopicPartition, OffsetAndMetadata>> committed,
            KafkaFuture<Map<TopicPartition, ListOffsetsResultInfo>> ends)
            throws InterruptedException {
        try {
            Map<TopicPartition, OffsetAndMetadata> positions = committed.get(ANSWER_SECONDS, TimeUnit.SECONDS);
            List<Lag> lag = new ArrayList<>();
            ends.get(ANSWER_SECONDS, TimeUnit.SECONDS).forEach((partition, end) -> {
                @Nullable OffsetAndMetadata at = positions.get(partition);
                long records = Math.max(0, end.offset() - (at == null ? 0 : at.offset()));
                lag.add(new Lag(partition.topic(), partition.partition(), records));
            });
            lag.sort(Comparator.comparing(Lag::topic).thenComparing(Lag::partition));
            return Optional.of(lag);
        } catch (ExecutionException | TimeoutException e) {
            return Optional.empty();
        }
    }

    /** What an instance calls itself, by a client id of its threads: those of Kafka Streams end with the thread. */
    public static String instance(String clientId) {
        return clientId.replaceFirst("-StreamThread-.*", "");
    }

    /** An instance as people look for it. */
    public static String called(String instance, String host) {
        return instance + AT + host;
    }

    /** The name alone of one that is {@link #called}. */
    public static String nameOf(String called) {
        return called.replaceFirst(AT + ".*", "");
    }

    /** Whether none joins or leaves. */
    public boolean isStable() {
        return state.equals(GroupState.STABLE.toString());
    }

    /** How long ago that was. */
    public long secondsAgo() {
        return (System.nanoTime() - askedNanos) / 1_000_000_000;
    }
}
