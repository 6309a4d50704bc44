package io.neardup.service.lifecycle;

import io.neardup.testing.SharedBroker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A world whose tests share a broker; each has topics and an index of its own. */
abstract class SharedWorld extends ChangedWorld {
    @RegisterExtension
    static final SharedBroker BROKER = new SharedBroker();

    private static int tests;

    SharedWorld() {
        super(BROKER.broker(), "neardup-" + tests++);
    }

    @AfterEach
    void deleteTopics() throws Exception {
        BROKER.deleteTopics();
        closeClients();
    }
}
