package io.neardup.tools.local;

import io.neardup.config.NeardupConfig;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;

/** The topics a user would make: the input and all outputs, wide enough for every line. */
final class LocalTopics {
    private static final long LEADERS_NANOS = TimeUnit.SECONDS.toNanos(30);

    private LocalTopics() {}

    static void create(String servers, NeardupConfig config, int partitions, int recordBytesMax)
            throws InterruptedException {
        Set<String> names = new LinkedHashSet<>(config.inputTopics());
        names.addAll(config.outputTopics());
        names.addAll(config.seedTopics());
        Map<String, String> settings = Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, String.valueOf(recordBytesMax));
        List<NewTopic> topics = names.stream()
                .map(name -> new NewTopic(name, partitions, (short) 1).configs(settings))
                .toList();
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, servers))) {
            admin.createTopics(topics).all().get();
            awaitLeaders(admin, names, partitions);
        } catch (ExecutionException e) {
            throw new LocalRunException("cannot create the topics " + names + ": " + e.getMessage(), e);
        }
    }

    /**
     * A producer that writes before a broker leads a partition may have its first batch refused, and then all behind it
     * until it gives up. Who leads a partition knows its offsets.
     */
    private static void awaitLeaders(Admin admin, Set<String> names, int partitions)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
        for (String name : names) {
            for (int partition = 0; partition < partitions; partition++) {
                ends.put(new TopicPartition(name, partition), OffsetSpec.latest());
            }
        }
        long deadlineNanos = System.nanoTime() + LEADERS_NANOS;
        while (true) {
            try {
                admin.listOffsets(ends).all().get();
                return;
            } catch (ExecutionException e) {
                if (System.nanoTime() - deadlineNanos > 0) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }
}
