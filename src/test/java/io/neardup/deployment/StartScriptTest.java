package io.neardup.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What src/bin/neardup starts, by a stand-in for Java that prints its process, its arenas and its arguments. */
class StartScriptTest {
    private static final String OLD = "java version \"1.8.0_402\"";
    private static final String JAVA_17 = "Picked up JAVA_TOOL_OPTIONS: \nopenjdk version \"17.0.15\" 2025-04-15";
    private static final String JAVA_25 = "openjdk version \"25\" 2025-09-16";

    private final Path folder;
    private final Path archive;
    private final Path javaHome;

    StartScriptTest(@TempDir Path folder) {
        this.folder = folder;
        archive = folder.resolve("an archive");
        javaHome = folder.resolve("a java");
    }

    private record Started(int exit, long process, List<String> lines) {
        List<String> arguments() {
            return lines.subList(1, lines.size());
        }
    }

    @BeforeEach
    void unpack() throws IOException {
        Files.createDirectories(archive.resolve("bin"));
        Files.copy(Path.of("src/bin/neardup"), archive.resolve("bin/neardup"));
        Files.createFile(archive.resolve("neardup.jar"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"JAVA_HOME", "PATH"})
    void shouldBecomeJavaWithTheArgumentsAsTheyAre(String by) throws Exception {
        install(JAVA_17);
        Map<String, String> environment =
                by.equals("PATH") ? Map.of("PATH", home() + "/bin:/usr/bin:/bin") : Map.of("JAVA_HOME", home());

        Started started = start(environment, "local", "a file.jsonl", "", "*", "$HOME \"'\\");

        assertThat(started.lines)
                .containsExactly(
                        String.valueOf(started.process),
                        "-jar",
                        archive.toRealPath() + "/neardup.jar",
                        "local",
                        "a file.jsonl",
                        "",
                        "*",
                        "$HOME \"'\\");
    }

    @Test
    void shouldGiveTheServiceAHeapOfOneSizeAndNoOtherCommand() throws Exception {
        install(JAVA_25);

        assertThat(start(Map.of("JAVA_HOME", home()), "run").arguments())
                .contains("arenas=2", "-XX:+UseCompactObjectHeaders", "-XX:+ExitOnOutOfMemoryError")
                .containsSubsequence("-XX:-UsePerfData", "-XX:+AlwaysPreTouch")
                .containsSubsequence("-Xms1g", "-Xmx1g", "-XX:NewRatio=1", "-XX:+UseParallelGC", "-jar");
        for (String[] other : new String[][] {{"status"}, {"run", "--check"}, {"local", "run"}}) {
            assertThat(start(Map.of("JAVA_HOME", home()), other).arguments())
                    .startsWith("--sun-misc-unsafe-memory-access=allow", "-XX:+UseCompactObjectHeaders", "-jar");
        }
    }

    /** Java refuses two sizes that contradict each other, and two collectors. */
    @Test
    void shouldLeaveTheHeapAndItsCollectorToWhoSetsThem() throws Exception {
        install(JAVA_17);

        assertThat(start(Map.of("JAVA_HOME", home(), "JAVA_TOOL_OPTIONS", "-XX:+UseG1GC"), "run")
                        .arguments())
                .contains("-Xms1g", "-Xmx1g")
                .doesNotContain("-XX:+UseParallelGC");
        assertThat(start(Map.of("JAVA_HOME", home(), "JAVA_OPTS", "-XX:+UseNUMA -XX:ParallelGCThreads=4"), "run")
                        .arguments())
                .contains("-XX:+UseParallelGC");

        assertThat(start(Map.of("JAVA_HOME", home(), "JAVA_OPTS", "-Xmx512m -Da=*", "MALLOC_ARENA_MAX", "8"), "run")
                        .arguments())
                .contains("arenas=8")
                .containsSubsequence("-XX:+ExitOnOutOfMemoryError", "-Xmx512m", "-Da=*", "-jar")
                .doesNotContain("-Xms1g", "-Xmx1g", "-XX:+UseParallelGC", "-XX:+UseCompactObjectHeaders");
    }

    @ParameterizedTest
    @ValueSource(strings = {OLD, "cannot say"})
    void shouldTellWhichJavaItNeedsAndWhichItFound(String version) throws Exception {
        Path java = install(version);

        Started started = start(Map.of("JAVA_HOME", home()), "local");

        assertThat(started.exit).isEqualTo(1);
        assertThat(started.lines)
                .containsExactly("neardup: expected Java 17 or newer, found "
                        + (version.equals(OLD) ? "1.8.0_402" : "another program") + ": " + java);
    }

    @Test
    void shouldTellThatThereIsNoJava() throws Exception {
        Path tools = Files.createDirectory(archive.resolve("tools"));
        executable(tools.resolve("readlink"), "#!/bin/sh\nPATH=/usr/bin:/bin\nexec readlink \"$@\"\n");

        assertThat(start(Map.of("PATH", tools.toString()), "local").lines)
                .containsExactly("neardup: expected Java 17 or newer by JAVA_HOME or on the PATH, found none");
        assertThat(start(Map.of("JAVA_HOME", home()), "local").lines)
                .containsExactly("neardup: expected Java 17 or newer in JAVA_HOME, found no " + home() + "/bin/java");
    }

    @Test
    void shouldRunOfACheckoutWhatItsBuildMade() throws Exception {
        install(JAVA_17);
        Files.delete(archive.resolve("neardup.jar"));

        assertThat(start(Map.of("JAVA_HOME", home()), "local").lines)
                .singleElement(STRING)
                .startsWith("neardup: expected ")
                .endsWith("/target/neardup.jar, found neither: mvn -q -DskipTests package");

        Files.createDirectory(folder.resolve("target"));
        Files.createFile(folder.resolve("target/neardup.jar"));
        assertThat(start(Map.of("JAVA_HOME", home()), "local").arguments())
                .containsExactly("-jar", folder.toRealPath() + "/target/neardup.jar", "local");
    }

    private String home() {
        return javaHome.toString();
    }

    /** A Java that says this of its version. */
    private Path install(String version) throws IOException {
        return executable(Files.createDirectories(javaHome.resolve("bin")).resolve("java"), """
                #!/bin/sh
                if [ "$1" = -version ]; then
                  echo '%s' >&2
                else
                  printf '%%s\\n' "$$" ${MALLOC_ARENA_MAX:+"arenas=$MALLOC_ARENA_MAX"} "$@"
                fi
                """.formatted(version));
    }

    private static Path executable(Path file, String script) throws IOException {
        Files.writeString(file, script);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    /** Starts it by a link, as one on the PATH is, with this environment alone. */
    private Started start(Map<String, String> environment, String... arguments) throws Exception {
        Path link = folder.resolve("link");
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, archive.resolve("bin/neardup"));
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", link.toString());
        builder.command().addAll(List.of(arguments));
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin");
        builder.environment().putAll(environment);
        Path printed = folder.resolve("printed");
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Started(process.exitValue(), process.pid(), Files.readAllLines(printed));
    }
}
