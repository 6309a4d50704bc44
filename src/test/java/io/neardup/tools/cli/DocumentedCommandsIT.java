package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.docs.Chapter;
import io.neardup.docs.Chapter.Block;
import io.neardup.docs.Shell;
import io.neardup.docs.Shell.Call;
import io.neardup.tools.local.LocalRun;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * The commands of the README and the chapters, run as they stand there: in this process, on the sample feed under the
 * names that the text uses. The fence says what is done with a block; the chapter on development lists the kinds.
 */
class DocumentedCommandsIT extends CommandTest {
    private static final List<String> PROGRAM = List.of("java", "-jar", "target/neardup.jar");
    private static final Pattern RUN = Pattern.compile("sh(?: exit (?<code>\\d))?");
    private static final Pattern PARSED = Pattern.compile("sh parsed: .+");
    /** What a command reads or writes; {@code config/neardup.properties} is there. */
    private static final Pattern FILE =
            Pattern.compile("(?<before>.*=)?(?<name>out|(?:live|shadow)(?:/verdicts\\.jsonl)?"
                    + "|[a-z-]+\\.(?:jsonl\\.gz|tsv|properties|png))");

    /** Which pairs are missed depends on the seed; with this one none of the sample feed is. */
    private static final List<String> SEED = List.of("--set", "neardup.hash.seed=1");

    private final Path files;
    private final Path calls;

    DocumentedCommandsIT(@TempDir Path files, @TempDir Path calls) {
        this.files = files;
        this.calls = calls;
    }

    static Stream<Block> blocks(String kind) {
        return Chapter.all().stream()
                .flatMap(chapter -> chapter.blocks().stream())
                .filter(block -> block.info().matches(kind));
    }

    static Stream<Block> run() {
        return blocks(RUN.pattern()).filter(block -> !isLong(block));
    }

    static Stream<Block> runLong() {
        return blocks(RUN.pattern()).filter(DocumentedCommandsIT::isLong);
    }

    /** Each `local` starts a broker; those of the README are tried in each run. */
    private static boolean isLong(Block block) {
        return block.text().contains("neardup.jar local") && !block.at().startsWith(Chapter.README.toString());
    }

    static Stream<Block> parsed() {
        return blocks(PARSED.pattern());
    }

    static Stream<Block> properties() {
        return blocks("properties");
    }

    @BeforeEach
    void writeInput() throws IOException {
        for (String name : List.of("news.jsonl.gz", "press.jsonl.gz", "records.jsonl.gz")) {
            try (InputStream feed = Objects.requireNonNull(LocalRun.class.getResourceAsStream("sample-feed.jsonl"));
                    OutputStream file = new GZIPOutputStream(Files.newOutputStream(files.resolve(name)))) {
                feed.transferTo(file);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("run")
    void shouldRun(Block block) throws Exception {
        runAndCompare(block);
    }

    @ParameterizedTest
    @MethodSource("runLong")
    @Tag("docs")
    void shouldRunLocal(Block block) throws Exception {
        runAndCompare(block);
    }

    private void runAndCompare(Block block) throws Exception {
        Matcher fence = RUN.matcher(block.info());
        assertThat(fence.matches()).isTrue();
        int expected = fence.group("code") == null ? 0 : Integer.parseInt(fence.group("code"));

        StringBuilder printed = new StringBuilder();
        for (Call call : programCalls(block)) {
            assertThat(run(call)).as("%s: %s, %s", block, call.line(), err).isEqualTo(expected);
            printed.append(out);
        }

        assertThat(printed.toString().lines().map(String::stripTrailing))
                .as("what the commands of %s print, and the block behind them shows", block)
                .containsAll(shown(block));
    }

    private List<Call> programCalls(Block block) throws IOException, InterruptedException {
        List<Call> found = Shell.calls(block.text(), calls).stream()
                .filter(call -> !call.line().get(0).equals("mvn"))
                .toList();
        assertThat(found).as("calls of the program in %s", block).isNotEmpty().allSatisfy(call -> assertThat(
                        call.line())
                .startsWith(PROGRAM.toArray(String[]::new)));
        return found;
    }

    private int run(Call call) {
        List<String> arguments = new ArrayList<>();
        List<Path> written = new ArrayList<>();
        for (String argument : arguments(call)) {
            Matcher file = FILE.matcher(argument);
            if (file.matches()) {
                Path path = files.resolve(file.group("name"));
                written.add(path);
                arguments.add((file.group("before") == null ? "" : file.group("before")) + path);
            } else {
                arguments.add(argument);
            }
        }
        if (arguments.get(0).equals("local")) {
            arguments.addAll(SEED);
        }
        int exit = executeWithInput(
                new ByteArrayInputStream(call.input().getBytes(UTF_8)), arguments.toArray(String[]::new));
        assertThat(written).as(err.toString()).allSatisfy(path -> assertThat(path)
                .exists());
        return exit;
    }

    private static List<String> arguments(Call call) {
        return call.line().subList(PROGRAM.size(), call.line().size());
    }

    /** The lines of the block behind this one, where its fence says that they are printed. */
    private static List<String> shown(Block block) {
        List<Block> all = Chapter.all().stream()
                .flatMap(chapter -> chapter.blocks().stream())
                .toList();
        int next = all.indexOf(block) + 1;
        return next < all.size() && all.get(next).info().equals("text printed")
                ? all.get(next).lines().stream()
                        .map(String::stripTrailing)
                        .filter(line -> !line.equals("..."))
                        .toList()
                : List.of();
    }

    @ParameterizedTest
    @MethodSource("parsed")
    void shouldTakeTheOptionsAndSettings(Block block) throws Exception {
        List<Call> found = Shell.calls(block.text(), calls);

        assertThat(found).isNotEmpty().allSatisfy(call -> {
            if (call.line().get(0).equals("mvn")) {
                checkMaven(call.line());
            } else {
                assertThatCode(() -> program(call).parseArgs(arguments(call).toArray(String[]::new)))
                        .doesNotThrowAnyException();
                checkSettings(arguments(call));
            }
        });
    }

    /** The program that the call names, or the one that measures it. */
    private static CommandLine program(Call call) {
        return call.line().contains("target/neardup-bench.jar") ? BenchMain.commandLine() : Main.commandLine();
    }

    private static void checkSettings(List<String> arguments) {
        List<String> pairs = new ArrayList<>();
        for (int i = 1; i < arguments.size(); i++) {
            if (arguments.get(i - 1).equals("--set")) {
                pairs.add(arguments.get(i));
            } else if (arguments.get(i - 1).equals("--group")) {
                pairs.add("application.id=" + arguments.get(i));
            }
        }
        assertThat(NeardupConfig.of(new Settings().pairs(pairs)).warnings()).isEmpty();
    }

    /** Profiles and tests that are named must be there. */
    private static void checkMaven(List<String> line) throws IOException {
        String pom = Files.readString(Path.of("pom.xml"));
        for (String argument : line) {
            if (argument.startsWith("-P")) {
                assertThat(pom).contains("<id>" + argument.substring(2) + "</id>");
            } else if (argument.startsWith("-D")) {
                String property = argument.substring(2).replaceAll("=.*", "");
                assertThat(Map.of("test", "", "it.test", "", "skipTests", "", "settings.write", ""))
                        .as("a property of surefire, failsafe or a test; others stand in the pom")
                        .satisfiesAnyOf(known -> assertThat(known).containsKey(property), known -> assertThat(pom)
                                .contains("<" + property));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("properties")
    void shouldTakeTheSettings(Block block) throws IOException {
        Path file = Files.writeString(files.resolve("shown.properties"), block.text());

        assertThat(NeardupConfig.of(new Settings().file(file)).warnings()).isEmpty();
    }

    @Test
    void shouldSayOfEveryBlockWhatItIs() {
        assertThat(Chapter.all().stream().flatMap(chapter -> chapter.blocks().stream()))
                .allSatisfy(block -> assertThat(block.info())
                        .as(block.at())
                        .matches(RUN + "|" + PARSED
                                + "|properties|text|text printed|mermaid|java|xml|(sh|python|js) shown: .+"));
    }
}
