package io.neardup.testing;

import io.neardup.tools.local.EmbeddedBroker;
import io.neardup.tools.local.TemporaryFolder;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
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
            admin.deleteTopics(admin.listTopics().names().get()).all().get();
            Awaitility.await("no topics")
                    .atMost(PATIENCE)
                    .until(() -> admin.listTopics().names().get().isEmpty());
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
