package io.neardup.testing;

import io.neardup.tools.local.EmbeddedBroker;
import io.neardup.tools.local.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A broker that all tests of a process share, class after class: to be registered as a static field. It starts before
 * the first of them and ends with the process; each class finds it without topics and without groups.
 */
public final class SharedBroker implements BeforeAllCallback, AfterAllCallback {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static @Nullable EmbeddedBroker broker;

    /** Where it is, for a client. */
    public String bootstrapServers() {
        return Objects.requireNonNull(broker).bootstrapServers();
    }

    /** Deletes all topics but those of Kafka itself, so that the next test finds none. */
    public void deleteTopics() throws ExecutionException, InterruptedException {
        try (Admin admin = admin()) {
            // Again and again: one that was created a moment ago may not be listed yet.
            Awaitility.await("no topics")
                    .atMost(PATIENCE)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(50))
                    .ignoreExceptionsMatching(e -> e.getCause() instanceof UnknownTopicOrPartitionException)
                    .until(() -> {
                        Set<String> topics = admin.listTopics().names().get();
                        admin.deleteTopics(topics).all().get();
                        return topics.isEmpty();
                    });
        }
    }

    /** Those too whose members were killed, and would be waited for. */
    private void deleteGroups() {
        try (Admin admin = admin()) {
            Awaitility.await("no groups")
                    .atMost(PATIENCE)
                    .pollDelay(Duration.ZERO)
                    .ignoreExceptionsInstanceOf(ExecutionException.class)
                    .until(() -> isDeleted(admin));
        }
    }

    private static boolean isDeleted(Admin admin) throws ExecutionException, InterruptedException {
        List<String> groups = admin.listGroups().all().get().stream()
                .map(GroupListing::groupId)
                .toList();
        for (ConsumerGroupDescription group :
                admin.describeConsumerGroups(groups).all().get().values()) {
            if (!group.members().isEmpty()) {
                admin.removeMembersFromConsumerGroup(group.groupId(), new RemoveMembersFromConsumerGroupOptions())
                        .all()
                        .get();
            }
        }
        admin.deleteConsumerGroups(groups).all().get();
        return true;
    }

    private Admin admin() {
        return Admin.create(Map.<String, Object>of("bootstrap.servers", bootstrapServers()));
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        if (broker == null) {
            TemporaryFolder folder = new TemporaryFolder("neardup-broker-");
            EmbeddedBroker started = EmbeddedBroker.start(folder.path(), 0, false);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(started, folder), "end-of-broker"));
            broker = started;
        }
    }

    private static void end(EmbeddedBroker started, TemporaryFolder folder) {
        started.close();
        try {
            folder.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws ExecutionException, InterruptedException {
        deleteTopics();
        deleteGroups();
    }
}
