package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.neardup.testing.JavaCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.OptionSpec;

class MainTest extends CommandTest {

    @Test
    void shouldHelpOnAScreenWithEachCommandInAGroup() {
        String help = printed("--help");

        assertThat(help.lines()).hasSizeLessThanOrEqualTo(40).allMatch(line -> line.length() <= 80);
        assertThat(help).contains("Try it:", "Run it:", "Ask it:", "Choose settings:");
        assertThat(commands().keySet())
                .allSatisfy(command -> assertThat(help).containsOnlyOnce(String.format("%n  %-20s ", command)));
    }

    @Test
    void shouldHelpWithEachCommandOnTwoScreens() {
        assertThat(commands().keySet()).hasSizeGreaterThan(12).allSatisfy(command -> {
            String help = printed((command + " --help").split(" ", -1));
            assertThat(help).contains("java -jar neardup.jar " + command);
            assertThat(help.lines()).hasSizeLessThanOrEqualTo(80).allMatch(line -> line.length() <= 80);
            assertThat(err.toString()).isEmpty();
        });
    }

    /** Beside those that all of them share. */
    @Test
    void shouldGiveEachCommandTenOptionsAtTheMost() {
        Set<String> shared = Set.of(
                ("--config --set --preset --json --help --version" + " --bootstrap-server --command-config --group")
                        .split(" ", -1));
        commands().forEach((name, command) -> assertThat(command.getCommandSpec().options().stream()
                        .map(OptionSpec::longestName)
                        .filter(option -> !shared.contains(option)))
                .as(name)
                .hasSizeLessThanOrEqualTo(10));
    }

    /** Over the settings of the same meaning; a file for Kafka's clients is one more file of settings. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --bootstrap-server nowhere --set bootstrap.servers=localhost:1 | bootstrap.servers nowhere: expected
            --group a/b --set application.id=mine | application.id = a/b (--group)
            --command-config @ | request.timeout.ms
            --command-config @ --set request.timeout.ms=1 --group a/b | 1 problem
            --create-topics --set replication.factor=abc | replication.factor
            """)
    void shouldTakeTheClusterAsKafkasToolsDo(String options, String message, @TempDir Path folder) throws IOException {
        Path clients = Files.writeString(folder.resolve("clients.properties"), "request.timeout.ms=abc\n");
        String line = "run --set bootstrap.servers=localhost:1 " + options.replace("@", clients.toString());

        assertThat(execute(line.split(" ", -1))).isPositive();
        assertThat(err.toString()).contains(message).doesNotContain("\tat ");
    }

    @Test
    void shouldPrintNoCommandForATerminalInAMessage() {
        assertThat(refused("plan", "--set", "neardup.shingle=\u001B[2J\u202E") + refused("\u009B2J"))
                .contains("<U+001B>[2J<U+202E>", "<U+009B>2J")
                .doesNotContain("\u001B", "\u202E", "\u009B");
    }

    @Test
    void shouldGenerateACompletionOfItsCommandsAndOptions() {
        assertThat(printed("generate-completion"))
                .contains("complete -F _complete_neardup", "evaluate", "--create-topics");
    }

    /**
     * A line of the terminal, in which @ is run with a cluster, and what is said of it: at once, with what is expected,
     * and without a stack trace.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            '' | Missing required subcommand
            bench | Unmatched argument at index 0: 'bench'
            local --outt x | --outt
            local --partitions 1001 | --partitions
            local --preset crawl | --preset': expected cloudevents, cloudevents-binary, common-crawl,
            local --tune | --tune: expected a FILE to tune on, found none
            local --serve --port 70000 | --port: expected 0 to 65535, found 70000
            local --port 9092 | --port: expected --serve beside it, found none
            index cutover --from a --status --yes | --status: expected none of --to, --now and --yes beside it
            run | bootstrap.servers
            index rest | Did you mean: index reset?
            broker kafka-data | broker is called local --serve --data DIR now
            reset --yes | reset is called index reset now
            tune --find 0.5:0.99 --reject 0.05:0.001 | tune --find is called plan --find now
            tune a.jsonl --frequencies=b.tsv | tune --frequencies is called tune weights --write now
            redrive | expected it or --all, and not both
            redrive --dry-run --all --reason no-text | expected it or --all, and not both
            @ --create-topics=0 | expected at least 1 partition, found 0
            @ --json | --json: expected --check beside it, found none
            @ --input-deleted forget | expected stop or skip, found forget
            @ --input-removed skip | expected stop or forget, found skip
            @ --set num.stream.threads=many | num.stream.threads
            @ --set producer.acks=5 | acks
            @ --set main.consumer.session.timeout.ms=x | session.timeout.ms
            @ --set processing.guarantee=at_least_once\
             | processing.guarantee: expected exactly_once_v2, found at_least_once
            @ --set replication.factor=many | replication.factor: expected a number of replicas
            @ --set production.exception.handler=some.Handler | production.exception.handler: expected none
            @ --set group.protocol=streams | group.protocol: expected classic, found streams
            @ --set state.cleanup.delay.ms=43200001 | state.cleanup.delay.ms: expected at most 43200000, found 43200001
            """)
    void shouldRefuse(String line, String message) {
        String whole = line.replace("@", "run --set bootstrap.servers=localhost:1");
        assertThat(refused(whole.isEmpty() ? new String[0] : whole.split(" ", -1)))
                .contains(message)
                .doesNotContain("\tat ", "unexpected");
    }

    @Test
    void shouldReportEveryMistakeInTheSettings(@TempDir Path folder) throws IOException {
        Path config =
                Files.writeString(folder.resolve("my.properties"), "neardup.shingle=char:0\nneardup.tresholt=1\n");
        assertThat(refused("local", "--config", config.toString(), "--set", "neardup.recall=2"))
                .contains("3 problems", "neardup.shingle", "neardup.tresholt", "neardup.recall")
                .doesNotContain("\tat ");
    }

    /** The second is what a run that was broken off has left. */
    @ParameterizedTest
    @ValueSource(strings = {"unique.jsonl", "unique.jsonl.part"})
    void shouldNotReplaceItsInput(String name, @TempDir Path folder) throws IOException {
        Path input = Files.writeString(folder.resolve(name), "{}\n");
        assertThat(refused("local", input.toString(), "--out", folder.toString()))
                .contains(input + " would be replaced by the results");
        assertThat(out.toString()).isEmpty();
        assertThat(input).hasContent("{}");
    }

    @Test
    void shouldNotEndWellWhereTheStandardOutputIsFull(@TempDir Path folder) throws Exception {
        assumeTrue(Files.exists(Path.of("/dev/full")), "needs /dev/full");
        Path errors = folder.resolve("errors");
        Process process = new ProcessBuilder(JavaCommand.of(
                        List.of("-XX:TieredStopAtLevel=1"), List.of(Main.class.getName(), "plan", "--json")))
                .redirectOutput(new File("/dev/full"))
                .redirectError(errors.toFile())
                .start();

        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isEqualTo(ExitCode.SOFTWARE);
        assertThat(errors).content().startsWith("the standard output did not take everything: ");
    }
}
