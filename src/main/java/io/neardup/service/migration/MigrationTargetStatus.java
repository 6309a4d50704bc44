package io.neardup.service.migration;

import io.neardup.service.cluster.SettingsTopic;
import io.neardup.service.cluster.StoredIndex;
import io.neardup.streams.input.Predecessor;
import io.neardup.streams.input.Takeover;
import io.neardup.streams.store.TopicNames;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * How far an index is with taking over from another, by its settings topic.
 *
 * @param predecessor empty where there is none, or no such index
 * @param takeover what it takes over; empty until the predecessor has handed over
 * @param coordinatorsDone those of its coordinators that have taken over all
 */
public record MigrationTargetStatus(
        Optional<Predecessor> predecessor, Optional<Takeover> takeover, Set<Integer> coordinatorsDone) {
    public MigrationTargetStatus {
        coordinatorsDone = Set.copyOf(coordinatorsDone);
    }

    /** Of an index of any application.id in the cluster. */
    public static MigrationTargetStatus of(String applicationId, ClusterView cluster) {
        Reading reading = new Reading();
        cluster.readCommitted(new TopicNames(applicationId).settings(), reading);
        return new MigrationTargetStatus(reading.predecessor, reading.takeover, reading.coordinatorsDone);
    }

    private static final class Reading implements Consumer<ConsumerRecord<byte[], byte[]>> {
        private final Set<Integer> coordinatorsDone = new HashSet<>();
        private Optional<Predecessor> predecessor = Optional.empty();
        private Optional<Takeover> takeover = Optional.empty();

        @Override
        public void accept(ConsumerRecord<byte[], byte[]> record) {
            predecessor = predecessor.or(() -> SettingsTopic.predecessor(record));
            takeover = takeover.or(() -> SettingsTopic.takeover(record));
            // Others are of a seed that the predecessor had.
            SeedWatch.read(record)
                    .filter(read -> predecessor
                            .filter(before -> before.topic().equals(read.topic()))
                            .isPresent())
                    .ifPresent(read -> coordinatorsDone.add(read.coordinator()));
        }
    }

    /** Whether it is made from this very index. */
    public boolean isFrom(StoredIndex index) {
        return predecessor.map(Predecessor::index).filter(index.id()::equals).isPresent();
    }

    /**
     * Records of the predecessor that it has not read, about.
     *
     * @param cluster by the settings of the index itself
     */
    public long recordsLeft(ClusterView cluster) {
        List<TopicPartition> coordinators =
                predecessor.map(Predecessor::partitions).orElse(List.of());
        Map<TopicPartition, Long> read = cluster.groupAdmin().committed();
        return cluster.committedEnds(coordinators).entrySet().stream()
                .mapToLong(end -> Math.max(0, end.getValue() - read.getOrDefault(end.getKey(), 0L)))
                .sum();
    }

    /** Coordinators that have not taken over all; empty where that is not settled. */
    public Optional<Integer> coordinatorsLeft() {
        return takeover.map(settled -> settled.starts().size() - coordinatorsDone.size());
    }

    /** Whether it needs nothing of its predecessor any more. */
    public boolean isDone() {
        return coordinatorsLeft().filter(left -> left == 0).isPresent();
    }
}
