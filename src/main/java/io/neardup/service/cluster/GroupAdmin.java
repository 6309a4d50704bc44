package io.neardup.service.cluster;

import io.neardup.config.NeardupConfig;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.InterruptException;

/** What commands ask of the cluster about the group of a service, with answers in bounded time. */
public final class GroupAdmin {
    /** The others share out again what an instance has left. */
    private static final Duration SETTLING = Duration.ofSeconds(4);

    private final Admin client;
    private final TopicAdmin admin;
    private final String group;

    public GroupAdmin(Admin client, TopicAdmin admin, String group) {
        this.client = client;
        this.admin = admin;
        this.group = group;
    }

    /** Empty where nobody has ever joined, or the cluster has forgotten it. */
    public Optional<ConsumerGroupDescription> describe() {
        return answer(
                Objects.requireNonNull(
                        client.describeConsumerGroups(List.of(group))
                                .describedGroups()
                                .get(group),
                        group),
                AclOperation.DESCRIBE);
    }

    /** How many members it has, one a stream thread. */
    public int members() {
        return describe()
                .map(ConsumerGroupDescription::members)
                .map(Collection::size)
                .orElse(0);
    }

    /** What its members read, all together; empty while they share it out. */
    public Optional<Set<String>> topics() {
        Set<String> topics = new HashSet<>();
        Optional<ConsumerGroupDescription> described = describe();
        described.map(ConsumerGroupDescription::members).orElse(List.of()).forEach(member -> member.assignment()
                .topicPartitions()
                .forEach(partition -> topics.add(partition.topic())));
        boolean isAtRest = described
                .map(ConsumerGroupDescription::groupState)
                .filter(state -> state == GroupState.PREPARING_REBALANCE || state == GroupState.COMPLETING_REBALANCE)
                .isEmpty();
        return isAtRest ? Optional.of(topics) : Optional.empty();
    }

    /**
     * As {@link #topics()}, when that is as awaited, or at last: an instance that was killed counts as one that runs
     * until its session is over.
     */
    public Optional<Set<String>> topics(NeardupConfig config, Predicate<Set<String>> awaited) {
        Duration patience = StreamsSettings.session(config).plus(SETTLING);
        return await(this::topics, now -> now.filter(awaited).isPresent(), patience);
    }

    /** What is found when it is as awaited, or at last. */
    public static <T> T await(Supplier<T> look, Predicate<T> awaited, Duration patience) {
        long sinceNanos = System.nanoTime();
        T found = look.get();
        while (!awaited.test(found) && System.nanoTime() - sinceNanos < patience.toNanos()) {
            try {
                TimeUnit.MILLISECONDS.sleep(200);
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
            found = look.get();
        }
        return found;
    }

    /** The positions that it has committed. */
    public Map<TopicPartition, Long> committed() {
        Map<TopicPartition, Long> positions = new HashMap<>();
        answer(client.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata(), AclOperation.DESCRIBE)
                .orElse(Map.of())
                .forEach((partition, committed) -> {
                    if (committed != null) {
                        positions.put(partition, committed.offset());
                    }
                });
        return positions;
    }

    public void delete() {
        // One that is gone already is as good.
        Optional<Void> unused =
                answer(client.deleteConsumerGroups(List.of(group)).all(), AclOperation.DELETE);
    }

    /** Empty where there is no such group. */
    private <T> Optional<T> answer(KafkaFuture<T> asked, AclOperation operation) {
        try {
            return Optional.ofNullable(admin.answer(asked));
        } catch (StartupException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return Optional.empty();
            }
            throw TopicAdmin.withName(e, "group " + group, operation);
        }
    }
}
