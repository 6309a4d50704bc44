package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest extends CommandTest {

    @Test
    void shouldHelpWithAnExampleOfEachCommand() {
        Set<String> commands = new TreeSet<>(Main.commandLine().getSubcommands().keySet());
        commands.remove("generate-completion");

        assertThat(commands).hasSizeGreaterThan(12).allSatisfy(command -> {
            assertThat(printed(command, "--help")).contains("java -jar neardup.jar " + command);
        });
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void shouldPrintNoCommandForATerminalInAMessage() {
        assertThat(execute("topology", "--set", "neardup.shingle=\u001B[2J\u202E"))
                .isEqualTo(2);
        assertThat(refused("\u009B2J"))
                .contains("<U+001B>[2J<U+202E>", "<U+009B>2J")
                .doesNotContain("\u001B", "\u202E", "\u009B");
    }

    @Test
    void shouldTellItsVersion() {
        assertThat(execute("--version")).isZero();
        assertThat(out.toString().lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("neardup "),
                        line -> assertThat(line).startsWith("commit "),
                        line -> assertThat(line).isEqualTo("Kafka   4.3.1"),
                        line -> assertThat(line).startsWith("Java    "));
    }

    @ParameterizedTest
    @CsvSource({"17bd363, 17bd363", "unknown, unknown", "${buildNumber}, unknown"})
    void shouldTellTheCommitWhereTheBuildFilledItIn(String filledIn, String told) throws IOException {
        assertThat(ManifestVersion.commit(new ByteArrayInputStream(("commit=" + filledIn).getBytes(UTF_8))))
                .isEqualTo(told);
    }

    @Test
    void shouldGenerateACompletionOfItsCommandsAndOptions() {
        assertThat(printed("generate-completion"))
                .contains("complete -F _complete_neardup", "evaluate", "--create-topics");
    }

    /** A line of the terminal, and what is said of it: at once, with what is expected, and without a stack trace. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | expected a command",
                "bench | expected a command: local, feed, run,",
                "bench | found bench",
                "local --outt x | --outt",
                "local --partitions 0 | --partitions",
                "local --partitions many | --partitions",
                "local --partitions 1001 | --partitions",
                "local nowhere.jsonl | nowhere.jsonl does not exist: check the path",
                "run | bootstrap.servers",
                "verify | bootstrap.servers",
                "status | bootstrap.servers",
                "reset | bootstrap.servers",
                "redrive | expected it or --all, and not both",
                "redrive --all --reason no-text | expected it or --all, and not both",
                "redrive --dry-run --all --reason no-text | expected it or --all, and not both",
                "run --set bootstrap.servers=localhost:1 --create-topics=0 | expected at least 1 partition, found 0",
                "run --set bootstrap.servers=localhost:1 --input-deleted forget | expected stop or skip, found forget",
                "run --set bootstrap.servers=localhost:1 --input-removed skip | expected stop or forget, found skip"
            })
    void shouldRefuse(String line, String message) {
        assertThat(refused(line.isEmpty() ? new String[0] : line.split(" ", -1)))
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

    @ParameterizedTest
    @CsvSource({
        "num.stream.threads=many, num.stream.threads",
        "request.timeout.ms=abc, request.timeout.ms",
        "security.protocol=FOO, security.protocol",
        "producer.acks=5, acks",
        "main.consumer.session.timeout.ms=x, session.timeout.ms",
        "processing.guarantee=at_least_once, 'processing.guarantee: expected exactly_once_v2, found at_least_once'",
        "replication.factor=many, replication.factor: expected a number of replicas",
        "production.exception.handler=some.Handler, production.exception.handler: expected none",
        "group.protocol=streams, 'group.protocol: expected classic, found streams'",
        "state.cleanup.delay.ms=43200001, 'state.cleanup.delay.ms: expected at most 43200000, found 43200001'"
    })
    void shouldTakeAWrongKeyOfKafkaForAWrongSetting(String pair, String key) {
        assertThat(refused("run", "--set", "bootstrap.servers=localhost:1", "--set", pair))
                .contains("problem", key)
                .doesNotContain("\tat ", "unexpected");
    }

    @ParameterizedTest
    @CsvSource({"unique.jsonl, --json", "tuned.boilerplate.tsv, --tune"})
    void shouldNotReplaceItsInput(String name, String option, @TempDir Path folder) throws IOException {
        Path input = Files.writeString(folder.resolve(name), "{}\n");
        assertThat(refused("local", input.toString(), option, "--out", folder.toString()))
                .contains(input + " would be replaced by the results");
        assertThat(out.toString()).isEmpty();
        assertThat(input).hasContent("{}");
    }

    @Test
    void shouldPrintTheFiguresAsJson() throws IOException {
        JsonNode figures = json("topology", "--json", "--set", "neardup.similarity.threshold=0.8");
        assertThat(figures.get("threshold").asDouble()).isEqualTo(0.8);
        assertThat(figures.get("recall").asDouble()).isBetween(0.99, 1.0);
        assertThat(figures.get("bytesPerDocument").asInt())
                .isEqualTo(12 * figures.get("bands").asInt() + 4 * 14);
        assertThat(figures.get("topology").asText()).contains("Sub-topology: 1");
    }

    @Test
    void shouldReckonWithTheChanceToAgreeOnAValue() throws IOException {
        JsonNode figures = json("topology", "--json", "--set", "neardup.signature=simhash");

        assertThat(figures.get("recall").asDouble()).isEqualTo(0.9903, within(5e-5));
        assertThat(figures.get("falseCandidates").asDouble()).isEqualTo(13_346, within(1.0));
    }
}
