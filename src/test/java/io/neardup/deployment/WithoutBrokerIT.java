package io.neardup.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.testing.Feeder;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.SharedBroker;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The service as an application has it that names it as a library: the jars of a broker do not come along. */
class WithoutBrokerIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern OF_BROKER =
            Pattern.compile("(argparse4j|caffeine|commons-(beanutils|collections|digester|logging|validator)"
                    + "|jackson-data(format-yaml|type-jdk8)|jopt-simple"
                    + "|kafka-(((group|share|transaction)-)?coordinator|metadata|raft|server|storage|tools-api)"
                    + "|kafka_2\\.13|log4j|metrics-core|pcollections|re2j|scala|snakeyaml)-.*\\.jar");
    private static final int TERMINATED = 143;
    private static final String TEXT = "a text of some words that nobody has sent before, but which comes twice";

    @RegisterExtension
    private static final SharedBroker BROKER = new SharedBroker();

    @TempDir
    private static Path folder;

    private static Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                classPath(),
                "io.neardup.tools.cli.Main"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(arguments[0] + ".log").toFile())
                .start();
    }

    private static String classPath() {
        List<String> entries = new ArrayList<>();
        for (String entry : DockerfileTest.classPath().split(File.pathSeparator, -1)) {
            if (!OF_BROKER.matcher(Path.of(entry).getFileName().toString()).matches()) {
                entries.add(entry);
            }
        }
        assertThat(entries).noneMatch(entry -> entry.contains("kafka_2.13"));
        return String.join(File.pathSeparator, entries);
    }

    private static String printed(String command) throws IOException {
        return Files.readString(folder.resolve(command + ".log"));
    }

    private static int end(Process process, String command) throws IOException, InterruptedException {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("%s ends; it printed %s", command, printed(command))
                .isTrue();
        return process.exitValue();
    }

    @Test
    void shouldRunAndStopWhenItIsTold() throws Exception {
        List<String> command = new ArrayList<>(List.of("run", "--config", "config/neardup.properties"));
        command.add("--create-topics=1");
        Stream.of(
                        "bootstrap.servers=" + BROKER.bootstrapServers(),
                        "state.dir=" + folder.resolve("state"),
                        "neardup.http.listen=127.0.0.1:0")
                .forEach(setting -> command.addAll(List.of("--set", setting)));

        Process service = start(command.toArray(String[]::new));
        try {
            Awaitility.await("ready").atMost(PATIENCE).until(() -> printed("run")
                    .contains("state=RUNNING"));
            try (Outputs outputs = new Outputs(BROKER.bootstrapServers());
                    Feeder feeder = new Feeder(BROKER.bootstrapServers(), "documents", 1)) {
                feeder.feed(List.of(new News("first", TEXT), new News("copy", TEXT), new News("blank", " ")));
                outputs.await(3, PATIENCE);
            }
            service.destroy();
            assertThat(end(service, "run")).isEqualTo(TERMINATED);
            assertThat(printed("run")).doesNotContain("NoClassDef", "ClassNotFound");
        } finally {
            service.destroyForcibly();
        }
    }
}
