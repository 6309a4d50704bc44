package io.neardup.service.lifecycle;

import io.neardup.service.cluster.GroupStatus;
import io.neardup.service.cluster.InputLag;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What the cluster knows of all instances together. It is asked at most every 5 s, and only while somebody wants to
 * know. Thread-safe.
 */
final class GroupWatch {
    private static final long FRESH_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long PATIENCE_MILLIS = 2_000;

    private final Admin admin;
    private final String group;
    private final List<TopicPartition> input;
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile @Nullable GroupStatus known;
    private volatile long nextAskNanos = System.nanoTime();

    /** @param partitions of each input topic */
    GroupWatch(Admin admin, String group, List<String> inputTopics, int partitions) {
        this.admin = admin;
        this.group = group;
        this.input = new ArrayList<>();
        for (String topic : inputTopics) {
            for (int p = 0; p < partitions; p++) {
                input.add(new TopicPartition(topic, p));
            }
        }
    }

    /**
     * What was known at most 5 s ago, or longer where the cluster does not answer; empty where it never did. One caller
     * in 5 s waits for an answer, up to 2 s; the others get what is known.
     */
    Optional<GroupStatus> status() {
        if (nextAskNanos - System.nanoTime() <= 0 && asking.compareAndSet(false, true)) {
            nextAskNanos = System.nanoTime() + FRESH_NANOS;
            await(ask().whenComplete((status, failure) -> asking.set(false)));
        }
        return Optional.ofNullable(known);
    }

    private void await(KafkaFuture<GroupStatus> asked) {
        try {
            asked.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException noAnswer) {
            return; // What is known stays, with its age.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private KafkaFuture<GroupStatus> ask() {
        long nowNanos = System.nanoTime();
        KafkaFuture<ConsumerGroupDescription> described = Objects.requireNonNull(
                admin.describeConsumerGroups(List.of(group)).describedGroups().get(group), group);
        KafkaFuture<Map<TopicPartition, OffsetAndMetadata>> committed =
                admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata();
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        input.forEach(partition -> latest.put(partition, OffsetSpec.latest()));
        KafkaFuture<Map<TopicPartition, ListOffsetsResultInfo>> ends =
                admin.listOffsets(latest).all();
        return KafkaFuture.allOf(described, committed, ends).thenApply(unused -> {
            ConsumerGroupDescription found = done(described);
            GroupStatus status = new GroupStatus(
                    found.groupState().toString(), found.members().size(), lag(done(committed), done(ends)), nowNanos);
            known = status;
            return status;
        });
    }

    private static <T> T done(KafkaFuture<T> future) {
        try {
            return future.getNow(null);
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<InputLag> lag(
            Map<TopicPartition, OffsetAndMetadata> committed, Map<TopicPartition, ListOffsetsResultInfo> ends) {
        List<InputLag> lag = new ArrayList<>();
        ends.forEach((partition, end) -> {
            @Nullable OffsetAndMetadata at = committed.get(partition);
            long records = Math.max(0, end.offset() - (at == null ? 0 : at.offset()));
            lag.add(new InputLag(partition.topic(), partition.partition(), records));
        });
        lag.sort(Comparator.comparing(InputLag::topic).thenComparing(InputLag::partition));
        return lag;
    }
}
