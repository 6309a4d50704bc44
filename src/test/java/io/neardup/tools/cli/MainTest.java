package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest extends CommandTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "local",
                "run",
                "verify",
                "why",
                "status",
                "cutover",
                "reset",
                "topology",
                "compare",
                "curve",
                "tune",
                "evaluate"
            })
    void shouldHelpWithAnExample(String command) {
        assertThat(execute(command, "--help")).isZero();
        assertThat(out.toString()).contains("Example").contains("java -jar neardup.jar " + command);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void shouldListItsCommands() {
        assertThat(execute("--help")).isZero();
        assertThat(out.toString())
                .contains("local", "run", "topology", "Exit codes")
                .doesNotContain("bench");
    }

    @Test
    void shouldPrintNoCommandForATerminalInAMessage() {
        assertThat(execute("topology", "--set", "neardup.shingle=\u001B[2J\u202E"))
                .isEqualTo(2);
        assertThat(execute("\u009B2J")).isEqualTo(2);
        assertThat(err.toString())
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

    @Test
    void shouldTellTheCommitThatTheBuildFilledIn() throws IOException {
        assertThat(commit("commit=17bd363")).isEqualTo("17bd363");
    }

    @Test
    void shouldSayThatTheCommitIsUnknown() throws IOException {
        assertThat(commit("commit=unknown")).isEqualTo("unknown");
        assertThat(commit("commit=${buildNumber}")).isEqualTo("unknown");
    }

    private static String commit(String file) throws IOException {
        return ManifestVersion.commit(new ByteArrayInputStream(file.getBytes(UTF_8)));
    }

    @Test
    void shouldGenerateACompletionOfItsCommandsAndOptions() {
        assertThat(execute("generate-completion")).isZero();
        assertThat(out.toString()).contains("complete -F _complete_neardup", "evaluate", "--create-topics");
    }

    @Test
    void shouldRefuseNoCommand() {
        assertThat(execute()).isEqualTo(2);
        assertThat(err.toString()).contains("expected a command").contains("neardup --help");
    }

    @Test
    void shouldRefuseAnUnknownCommandAndNameWhatThereIs() {
        assertThat(execute("bench")).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("neardup: expected a command: local, feed, run,")
                .contains("evaluate", ", found bench", "neardup --help");
    }

    @Test
    void shouldRefuseAnUnknownOption() {
        assertThat(execute("local", "--outt", "x")).isEqualTo(2);
        assertThat(err.toString()).contains("--outt").doesNotContain("\tat ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-3", "many", "1001"})
    void shouldRefuseAWrongNumberOfPartitions(String partitions) {
        assertThat(execute("local", "--partitions", partitions)).isEqualTo(2);
        assertThat(err.toString()).contains("--partitions");
    }

    @Test
    void shouldReportEveryMistakeInTheSettings(@TempDir Path folder) throws IOException {
        Path config =
                Files.writeString(folder.resolve("my.properties"), "neardup.shingle=char:0\nneardup.tresholt=1\n");
        assertThat(execute("local", "--config", config.toString(), "--set", "neardup.recall=2"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("3 problems", "neardup.shingle", "neardup.tresholt", "neardup.recall")
                .doesNotContain("\tat ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "run", "verify", "topology"})
    void shouldNameAMissingFileOfSettings(String command) {
        assertThat(execute(command, "--config", "nowhere.properties")).isEqualTo(2);
        assertThat(err.toString()).contains("file nowhere.properties: expected a properties file, found none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "verify", "status", "reset"})
    void shouldNotRunWithoutACluster(String command) {
        assertThat(execute(command)).isEqualTo(2);
        assertThat(err.toString()).contains("bootstrap.servers");
    }

    /** Somebody waits: they are told what is asked, and soon that nobody answers. */
    @Test
    void shouldSayWhichClusterDoesNotAnswer() {
        assertThat(execute("status", "--set", "bootstrap.servers=127.0.0.1:1")).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("asking bootstrap.servers 127.0.0.1:1 ...")
                .contains("bootstrap.servers 127.0.0.1:1: expected an answer about topics within 10 s")
                .doesNotContain("\tat ");
    }

    @ParameterizedTest
    @CsvSource({
        "num.stream.threads=many, num.stream.threads",
        "request.timeout.ms=abc, request.timeout.ms",
        "security.protocol=FOO, security.protocol",
        "producer.acks=5, acks",
        "main.consumer.session.timeout.ms=x, session.timeout.ms",
        "processing.guarantee=at_least_once, processing.guarantee",
        "replication.factor=many, replication.factor",
    })
    void shouldTakeAWrongKeyOfKafkaForAWrongSetting(String pair, String key) {
        assertThat(execute("run", "--set", "bootstrap.servers=localhost:1", "--set", pair))
                .isEqualTo(2);
        assertThat(err.toString()).contains("problem", key).doesNotContain("\tat ", "unexpected");
    }

    @Test
    void shouldRefuseValuesThatAnOptionDoesNotTake() {
        assertThat(execute("run", "--set", "bootstrap.servers=localhost:1", "--create-topics=0"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--create-topics: expected at least 1 partition, found 0");
        assertThat(execute("run", "--set", "bootstrap.servers=localhost:1", "--input-deleted", "forget"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--input-deleted: expected stop or skip, found forget");
        assertThat(execute("run", "--set", "bootstrap.servers=localhost:1", "--input-removed", "skip"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--input-removed: expected stop or forget, found skip");
    }

    @Test
    void shouldNameAMissingInputBeforeAnythingStarts() {
        assertThat(execute("local", "nowhere.jsonl")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualToIgnoringNewLines("neardup local: nowhere.jsonl does not exist: check the path");
    }

    @Test
    void shouldNotReplaceItsInput(@TempDir Path folder) throws IOException {
        Path input = Files.writeString(folder.resolve("unique.jsonl"), "{}\n");
        assertThat(execute("local", input.toString(), "--out", folder.toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("would be replaced by the results");
        assertThat(input).hasContent("{}");
    }

    @Test
    void shouldNameAFolderThatCannotBeWritten(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThat(execute("local", "--out", file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("cannot write to the folder " + file);
    }

    @Test
    void shouldPrintTheTopologyAndItsFigures() {
        assertThat(execute("topology")).isZero();
        assertThat(out.toString())
                .contains("Sub-topology: 0", "Sub-topology: 1", "neardup-lookups", "neardup-replies")
                .contains("26 x 5", "0.9916 at the threshold 0.7", "0.832 a document", "368 bytes a unique document");
    }

    @Test
    void shouldPrintTheFiguresAsJson() throws IOException {
        assertThat(execute("topology", "--json", "--set", "neardup.similarity.threshold=0.8"))
                .isZero();
        JsonNode figures = new ObjectMapper().readTree(out.toString());
        assertThat(figures.get("threshold").asDouble()).isEqualTo(0.8);
        assertThat(figures.get("recall").asDouble()).isBetween(0.99, 1.0);
        assertThat(figures.get("bytesPerDocument").asInt())
                .isEqualTo(12 * figures.get("bands").asInt() + 4 * 14);
        assertThat(figures.get("topology").asText()).contains("Sub-topology: 1");
    }

    @Test
    void shouldReckonWithTheChanceToAgreeOnAValue() throws IOException {
        assertThat(execute("topology", "--json", "--set", "neardup.signature=simhash"))
                .isZero();

        JsonNode figures = new ObjectMapper().readTree(out.toString());
        assertThat(figures.get("recall").asDouble()).isEqualTo(0.9903, within(5e-5));
        assertThat(figures.get("falseCandidates").asDouble()).isEqualTo(13_346, within(1.0));
    }
}
