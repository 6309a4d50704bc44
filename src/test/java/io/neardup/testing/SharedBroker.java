package io.neardup.testing;

import io.neardup.tools.local.EmbeddedBroker;
import io.neardup.tools.local.TemporaryFolder;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A broker that the tests of a class share: to be registered as a static field. It starts before the first. */
public final class SharedBroker implements BeforeAllCallback, AfterAllCallback {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private @Nullable TemporaryFolder folder;
    private @Nullable EmbeddedBroker broker;

    public EmbeddedBroker broker() {
        return Objects.requireNonNull(broker);
    }

    /** Where it is, for a client. */
    public String bootstrapServers() {
        return broker().bootstrapServers();
    }

    /** Deletes all topics but those of Kafka itself, so that the next test finds none. */
    public void deleteTopics() throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", bootstrapServers()))) {
            // Again and again: one that was created a moment ago may not be listed yet.
            Awaitility.await("no topics")
                    .atMost(PATIENCE)
                    .ignoreExceptionsMatching(e -> e.getCause() instanceof UnknownTopicOrPartitionException)
                    .until(() -> {
                        Set<String> topics = admin.listTopics().names().get();
                        admin.deleteTopics(topics).all().get();
                        return topics.isEmpty();
                    });
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        folder = new TemporaryFolder("neardup-broker-");
        broker = EmbeddedBroker.start(folder.path());
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (broker != null) {
            broker.close();
        }
        if (folder != null) {
            folder.close();
        }
    }
}
