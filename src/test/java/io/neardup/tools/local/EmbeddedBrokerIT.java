package io.neardup.tools.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.testing.Records;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBrokerIT {
    @Test
    void shouldRefuseAFolderThatAnotherUses(@TempDir Path folder) throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder, 0, false)) {
            assertThatThrownBy(() -> EmbeddedBroker.start(folder, 0, false))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(folder + ": expected a folder that nobody uses");
            Records.createTopic(broker.bootstrapServers(), "numbers", 1);
        }
    }

    @Test
    void shouldRunBesideAnother(@TempDir Path folder) throws Exception {
        try (EmbeddedBroker one = EmbeddedBroker.start(folder.resolve("one"), 0, false);
                EmbeddedBroker other = EmbeddedBroker.start(folder.resolve("other"), 0, false)) {
            Records.createTopic(one.bootstrapServers(), "numbers", 1);
            Records.createTopic(other.bootstrapServers(), "numbers", 1);
            Records.commit(other.bootstrapServers(), "numbers", List.of("other"));
            Records.commit(one.bootstrapServers(), "numbers", List.of("one"));
            assertThat(Records.readCommitted(one.bootstrapServers(), "numbers", 1))
                    .containsExactly("one");
            assertThat(Records.readCommitted(other.bootstrapServers(), "numbers", 1))
                    .containsExactly("other");
        }
    }

    /** They are mapped, and where Linux reads far ahead the first record of each costs as much as it is long. */
    @Test
    void shouldKeepTheIndexesOfItsLogsShort(@TempDir Path folder) throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder, 0, false)) {
            Records.createTopic(broker.bootstrapServers(), "numbers", 1);
            Records.commit(broker.bootstrapServers(), "numbers", List.of("one"));

            try (Stream<Path> files = Files.list(folder.resolve("numbers-0"))) {
                assertThat(files.filter(file -> file.toString().endsWith("index")))
                        .hasSizeGreaterThanOrEqualTo(2)
                        .allSatisfy(file -> assertThat(Files.size(file)).isLessThan(1 << 20));
            }
        }
    }
}
