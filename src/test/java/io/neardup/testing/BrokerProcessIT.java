package io.neardup.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerProcessIT {
    @Test
    void shouldKeepItsDataWhenKilledAndStartedAgain(@TempDir Path folder) throws Exception {
        try (BrokerProcess broker = new BrokerProcess(folder).start()) {
            String servers = broker.bootstrapServers();
            Records.createTopic(servers, "numbers", 1);
            Records.commit(servers, "numbers", List.of("one", "two"));
            broker.killHard();
            broker.start();
            Records.commit(servers, "numbers", List.of("three"));
            assertThat(Records.readCommitted(servers, "numbers", 3)).containsExactly("one", "two", "three");
            broker.stop();
        }
        assertThat(folder.resolve("broker.log")).exists();
    }
}
