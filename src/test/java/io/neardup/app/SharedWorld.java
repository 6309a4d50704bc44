package io.neardup.app;

import io.neardup.local.EmbeddedBroker;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A world whose tests share a broker; each has topics and an index of its own. */
abstract class SharedWorld extends ChangedWorld {
    private static EmbeddedBroker shared;
    private static int tests;

    SharedWorld() {
        super(shared, "neardup-" + tests++);
    }

    @BeforeAll
    static void startBroker(@TempDir Path folder) throws Exception {
        shared = EmbeddedBroker.start(folder);
    }

    @AfterAll
    static void stopBroker() {
        shared.close();
    }

    @AfterEach
    void deleteTopics() throws Exception {
        for (String topic : admin.listTopics().names().get()) {
            delete(topic);
        }
        closeClients();
    }
}
