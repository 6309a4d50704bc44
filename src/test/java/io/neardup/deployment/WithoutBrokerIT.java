package io.neardup.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.testing.InstanceProcess;
import io.neardup.testing.JavaCommand;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.World;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The service as an application has it that names it as a library: the jars of a broker do not come along. */
class WithoutBrokerIT {
    private static final Pattern OF_BROKER =
            Pattern.compile("(argparse4j|caffeine|commons-(beanutils|collections|digester|logging|validator)"
                    + "|jackson-data(format-yaml|type-jdk8)|jopt-simple"
                    + "|kafka-(((group|share|transaction)-)?coordinator|metadata|raft|server|storage|tools-api)"
                    + "|kafka_2\\.13|log4j|metrics-core|pcollections|re2j|scala|snakeyaml)-.*\\.jar");
    private static final int TERMINATED = 143;
    private static final String TEXT = "a text of some words that nobody has sent before, but which comes twice";

    @RegisterExtension
    static final World WORLD = new World();

    private static String classPath() {
        String classPath = Arrays.stream(JavaCommand.classPath().split(File.pathSeparator, -1))
                .filter(entry -> !OF_BROKER
                        .matcher(Path.of(entry).getFileName().toString())
                        .matches())
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(classPath).doesNotContain("kafka_2.13");
        return classPath;
    }

    @Test
    void shouldRunAndStopWhenItIsTold() throws Exception {
        List<String> command =
                new ArrayList<>(List.of("run", "--config", "config/neardup.properties", "--create-topics=1"));
        WORLD.settings("state.dir=" + WORLD.folder().resolve("state"), "neardup.http.listen=127.0.0.1:0")
                .forEach(setting -> command.addAll(List.of("--set", setting)));

        InstanceProcess service = WORLD.closeLater(InstanceProcess.command(WORLD.folder(), classPath(), command));

        await("ready").atMost(World.PATIENCE).until(() -> service.log().contains("state=RUNNING"));
        WORLD.feed(List.of(new News("first", TEXT), new News("copy", TEXT), new News("blank", " ")));
        WORLD.awaitOutputs(3);
        assertThat(service.stop()).isEqualTo(TERMINATED);
        assertThat(service.log()).doesNotContain("NoClassDef", "ClassNotFound");
    }
}
