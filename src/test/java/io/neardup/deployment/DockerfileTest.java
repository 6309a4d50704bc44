package io.neardup.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.deployment.Dockerfile.Copy;
import io.neardup.testing.JavaCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the image is made of is there, and what it starts is in it. */
class DockerfileTest {
    /** What the build makes, by the words of pom.xml that say so. */
    private static final Map<String, String> BUILT = Map.of(
            "target/neardup.jar", "<finalName>neardup</finalName>",
            "target/lib", "<outputDirectory>${project.build.directory}/lib</outputDirectory>");

    private static final Pattern PATH = Pattern.compile("/(?:opt|etc|usr/local|var/lib)/neardup[\\w./-]*|/opt/java\\b");

    private static final Pattern HEALTH_PORT = Pattern.compile("/dev/tcp/127\\.0\\.0\\.1/(\\d+)");

    @Test
    void shouldTakeWhatTheRepositoryAndItsBuildHave() throws IOException {
        String pom = Files.readString(Path.of("pom.xml"));
        List<String> sources = Dockerfile.copies(Dockerfile.read().all()).stream()
                .filter(copy -> copy.stage().isEmpty())
                .map(Copy::source)
                .toList();
        assertThat(sources).containsAll(BUILT.keySet()).allSatisfy(source -> {
            String words = BUILT.get(source);
            assertThat(words == null ? Files.exists(Path.of(source)) : pom.contains(words))
                    .isTrue();
        });
        assertThat(Files.readAllLines(Path.of(".dockerignore")))
                .as("all but the sources is ignored")
                .filteredOn(line -> !line.startsWith("#"))
                .startsWith("*")
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(Stream.of("*"), sources.stream().map("!"::concat))
                                .toList());
        assertThat(Dockerfile.copies(Dockerfile.read().instructions()))
                .as("the last layer")
                .last()
                .extracting(Copy::source)
                .isEqualTo("target/neardup.jar");
    }

    @Test
    void shouldNameOnlyWhatIsInIt() throws IOException {
        Dockerfile image = Dockerfile.read();
        List<String> targets = Dockerfile.copies(image.instructions()).stream()
                .map(Copy::target)
                .toList();
        List<String> named = Stream.of("ENV", "HEALTHCHECK", "ENTRYPOINT", "CMD", "WORKDIR", "VOLUME")
                .flatMap(name -> PATH.matcher(image.only(name)).results())
                .map(match -> match.group())
                .toList();

        assertThat(named).hasSizeGreaterThan(5).allSatisfy(path -> assertThat(targets)
                .as(path)
                .anyMatch(target -> path.equals(target) || path.startsWith(target + "/")));
    }

    @Test
    void shouldKeepItsStateInTheVolumeAsANumericUser() throws IOException {
        Dockerfile image = Dockerfile.read();

        assertThat(image.only("USER")).matches("[1-9]\\d+:[1-9]\\d+");
        assertThat(image.environment().get("KAFKA_STATE_DIR")).startsWith(image.only("VOLUME") + "/");
        assertThat(Dockerfile.copies(image.instructions()))
                .anyMatch(copy -> copy.target().equals(image.only("VOLUME")));
    }

    @Test
    void shouldSetWhatTheServiceTakes() throws IOException {
        NeardupConfig config = NeardupConfig.forCluster(new Settings()
                .environment(Dockerfile.read().environment())
                .pairs(List.of("bootstrap.servers=localhost:9092")));

        assertThat(config.kafka()).containsKey("state.dir");
        assertThat(config.httpHealthListen().map(listen -> String.valueOf(listen.port())))
                .contains(Dockerfile.read().only("EXPOSE"))
                .contains(portOfHealthCheck());
    }

    private static String portOfHealthCheck() throws IOException {
        return HEALTH_PORT
                .matcher(Files.readString(Path.of("docker/health.sh")))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }

    /** The native libraries that are taken out of jars have the names that they have there. */
    @Test
    void shouldFindNativeLibrariesInTheirJars() throws IOException {
        String script = Files.readString(Path.of("docker/natives.sh"));
        Set<String> jars = Set.of("rocksdbjni", "zstd-jni", "lz4-java", "snappy-java");

        for (String machine : List.of("linux64 amd64 x86_64", "linux-aarch64 aarch64 aarch64")) {
            String[] names = machine.split(" ", -1);
            assertThat(script)
                    .contains("rocksdb=" + names[0] + " codecs=" + names[1] + " snappy=" + names[2])
                    .contains(jars);
            String zstd = versionOf("zstd-jni");
            assertThat(List.of(
                            "librocksdbjni-" + names[0] + ".so",
                            "linux/" + names[1] + "/lib" + zstd + ".so",
                            "net/jpountz/util/linux/" + names[1] + "/liblz4-java.so",
                            "org/xerial/snappy/native/Linux/" + names[2] + "/libsnappyjava.so"))
                    .allSatisfy(name -> assertThat(getClass().getClassLoader().getResource(name))
                            .isNotNull());
        }
    }

    private static String versionOf(String library) {
        return Stream.of(JavaCommand.classPath().split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).getFileName().toString())
                .filter(name -> name.startsWith(library))
                .map(name -> name.substring(0, name.length() - ".jar".length()))
                .findFirst()
                .orElseThrow();
    }
}
