package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.testing.JavaCommand;
import io.neardup.testing.Records;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class BrokerCommandIT extends CommandTest {
    private static final int TERMINATED = 128 + 15;

    @TempDir
    private Path folder;

    @Test
    @Timeout(300)
    void shouldServeUntilItIsStoppedAndKeepWhatTopicsHold() throws Exception {
        serve("0", servers -> {
            Records.createTopic(servers, "numbers", 1);
            Records.commit(servers, "numbers", List.of("one"));
            String port = servers.substring(servers.indexOf(':') + 1);
            String other = folder.resolve("other").toString();
            assertThat(execute("broker", other, "--port", port)).isOne();
            assertThat(err.toString()).contains("port " + port + " of 127.0.0.1: expected a free one, found it in use");
        });
        serve("0", servers -> assertThat(Records.readCommitted(servers, "numbers", 1))
                .containsExactly("one"));
    }

    private interface Trial {
        void with(String servers) throws Exception;
    }

    private void serve(String port, Trial trial) throws Exception {
        Process process = new ProcessBuilder(JavaCommand.of(
                        List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                        List.of("io.neardup.tools.cli.Main", "broker", folder.toString() + "/data", "--port", port)))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader said = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            String line = Objects.requireNonNull(said.readLine());
            assertThat(line).matches("bootstrap.servers=127.0.0.1:[0-9]+, until Ctrl-C");
            trial.with(line.substring(line.indexOf('=') + 1, line.indexOf(',')));
            // Not Ctrl-C: whoever runs tests in the background has it ignored.
            process.toHandle().destroy();
            assertThat(process.waitFor()).isEqualTo(TERMINATED);
        } finally {
            process.destroyForcibly();
        }
    }
}
