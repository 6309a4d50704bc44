package io.neardup.local;

import io.neardup.config.NeardupConfig;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;

/** The topics a user would make: the input and all outputs, wide enough for every line. */
final class LocalTopics {
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
        } catch (ExecutionException e) {
            throw new LocalRunException("cannot create the topics " + names + ": " + e.getMessage(), e);
        }
    }
}
