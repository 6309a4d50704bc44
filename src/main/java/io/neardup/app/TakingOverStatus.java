package io.neardup.app;

import io.neardup.streams.TopicNames;
import io.neardup.streams.input.Predecessor;
import io.neardup.streams.input.Takeover;
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
 * @param homesDone those of its homes that have taken over all
 */
record TakingOverStatus(Optional<Predecessor> predecessor, Optional<Takeover> takeover, Set<Integer> homesDone) {
    TakingOverStatus {
        homesDone = Set.copyOf(homesDone);
    }

    /** Of an index of any application.id in the cluster. */
    static TakingOverStatus of(String applicationId, ClusterView cluster) {
        Reading reading = new Reading();
        cluster.readCommitted(new TopicNames(applicationId).settings(), reading);
        return new TakingOverStatus(reading.predecessor, reading.takeover, reading.homesDone);
    }

    private static final class Reading implements Consumer<ConsumerRecord<byte[], byte[]>> {
        private final Set<Integer> homesDone = new HashSet<>();
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
                    .ifPresent(read -> homesDone.add(read.home()));
        }
    }

    /** Whether it is made from this very index. */
    boolean isFrom(StoredIndex index) {
        return predecessor.map(Predecessor::index).filter(index.id()::equals).isPresent();
    }

    /**
     * Records of the predecessor that it has not read, about.
     *
     * @param cluster by the settings of the index itself
     */
    long recordsLeft(ClusterView cluster) {
        List<TopicPartition> homes = predecessor.map(Predecessor::partitions).orElse(List.of());
        Map<TopicPartition, Long> read = cluster.groupAdmin().committed();
        return cluster.committedEnds(homes).entrySet().stream()
                .mapToLong(end -> Math.max(0, end.getValue() - read.getOrDefault(end.getKey(), 0L)))
                .sum();
    }

    /** Homes that have not taken over all; empty where that is not settled. */
    Optional<Integer> homesLeft() {
        return takeover.map(settled -> settled.starts().size() - homesDone.size());
    }

    /** Whether it needs nothing of its predecessor any more. */
    boolean isDone() {
        return homesLeft().filter(left -> left == 0).isPresent();
    }
}
