package io.neardup.bench;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/** What a benchmark asks of its broker about topics. */
final class BenchCluster implements AutoCloseable {
    private static final long ANSWER_SECONDS = 30;
    private static final int BROKER = 1;

    private final String servers;
    private final Admin admin;

    BenchCluster(String servers) {
        this.servers = servers;
        this.admin = Admin.create(Map.of("bootstrap.servers", servers));
    }

    String servers() {
        return servers;
    }

    /** Returns when they can be used. */
    void create(Collection<String> topics, int partitions, Map<String, String> configs) {
        answer(admin.createTopics(topics.stream()
                        .map(topic -> new NewTopic(topic, partitions, (short) 1).configs(configs))
                        .toList())
                .all());
        // The broker learns of them a moment after the controller has said yes.
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS);
        while (!areKnown(topics)) {
            if (System.nanoTime() > deadlineNanos) {
                throw new BenchException("the broker did not make the topics " + topics);
            }
            Trial.pause(20);
        }
    }

    private boolean areKnown(Collection<String> topics) {
        try {
            return answer(admin.describeTopics(topics).allTopicNames()).values().stream()
                    .flatMap(topic -> topic.partitions().stream())
                    .allMatch(partition -> partition.leader() != null);
        } catch (BenchException e) {
            return false;
        }
    }

    /** Deletes every topic whose name begins so; the broker takes the files away a minute later. */
    void deleteAll(String prefix) {
        List<String> topics = answer(admin.listTopics().names()).stream()
                .filter(topic -> topic.startsWith(prefix))
                .toList();
        answer(admin.deleteTopics(topics).all());
    }

    static List<TopicPartition> partitions(Collection<String> topics, int partitions) {
        return topics.stream()
                .flatMap(topic -> IntStream.range(0, partitions).mapToObj(number -> new TopicPartition(topic, number)))
                .toList();
    }

    /** Where committed records end: beside records, an end counts the markers of transactions. */
    List<Long> committedEnds(List<TopicPartition> partitions) {
        var ends = answer(admin.listOffsets(
                        partitions.stream().collect(Collectors.toMap(Function.identity(), p -> OffsetSpec.latest())),
                        new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                .all());
        return partitions.stream()
                .map(partition -> Objects.requireNonNull(ends.get(partition)).offset())
                .toList();
    }

    /** Gives up all records before these offsets. */
    void purge(List<TopicPartition> partitions, List<Long> ends) {
        Map<TopicPartition, RecordsToDelete> records = new HashMap<>();
        for (int i = 0; i < ends.size(); i++) {
            records.put(partitions.get(i), RecordsToDelete.beforeOffset(ends.get(i)));
        }
        answer(admin.deleteRecords(records).all());
    }

    /** Bytes on the broker's disk of each topic whose name begins and ends so. */
    Map<String, Long> bytes(String prefix, String suffix) {
        Map<String, Long> bytes = new TreeMap<>();
        var folders = answer(admin.describeLogDirs(List.of(BROKER)).allDescriptions());
        folders.values().stream().flatMap(disks -> disks.values().stream()).forEach(folder -> folder.replicaInfos()
                .forEach((partition, replica) -> {
                    String topic = partition.topic();
                    if (topic.startsWith(prefix) && topic.endsWith(suffix)) {
                        bytes.merge(topic, replica.size(), Long::sum);
                    }
                }));
        return bytes;
    }

    private static <T> T answer(KafkaFuture<T> future) {
        try {
            return future.get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new BenchException("the broker did not answer as it should: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted", e);
        }
    }

    @Override
    public void close() {
        // It would wait for answers that a broker that has ended never gives.
        admin.close(Duration.ZERO);
    }
}
