package io.neardup.testing;

import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;

/** Where transactions are open, whoever left them so. */
public final class OpenTransactions {
    private OpenTransactions() {}

    /** The partitions, internal ones of Kafka too, whose end a reader with read_committed does not see yet. */
    public static Set<TopicPartition> partitions(String servers) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            Map<TopicPartition, Long> committed = ends(admin, IsolationLevel.READ_COMMITTED);
            Map<TopicPartition, Long> written = ends(admin, IsolationLevel.READ_UNCOMMITTED);
            Set<TopicPartition> open = new HashSet<>(written.keySet());
            open.removeIf(partition -> Objects.equals(written.get(partition), committed.get(partition)));
            return open;
        }
    }

    /** How far each partition of each topic is written, or can be read. */
    public static Map<TopicPartition, Long> ends(Admin admin, IsolationLevel level)
            throws ExecutionException, InterruptedException {
        Set<String> topics = admin.listTopics(new ListTopicsOptions().listInternal(true))
                .names()
                .get();
        Map<TopicPartition, OffsetSpec> asked = admin.describeTopics(topics).allTopicNames().get().values().stream()
                .flatMap(topic -> topic.partitions().stream()
                        .map(TopicPartitionInfo::partition)
                        .map(partition -> new TopicPartition(topic.name(), partition)))
                .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        return admin.listOffsets(asked, new ListOffsetsOptions(level)).all().get().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().offset()));
    }
}
