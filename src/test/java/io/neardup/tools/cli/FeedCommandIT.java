package io.neardup.tools.cli;

import static io.neardup.testing.World.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.testing.JavaCommand;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Files that are sent to a broker, once. */
class FeedCommandIT extends CommandTest {
    private static final int TERMINATED = 128 + 15;

    @RegisterExtension
    private static final SharedBroker BROKER = new SharedBroker();

    @TempDir
    private static Path folder;

    @Test
    void shouldSendEachRecordOnceHoweverOftenItIsCalled() throws Exception {
        Records.createTopic(BROKER.bootstrapServers(), "once", 2);
        Path file = Files.writeString(
                folder.resolve("news.xml"),
                "<!DOCTYPE rss [<!ENTITY e 'x'>]><rss><channel><item><guid>1</guid></item>"
                        + "<item><title>&e;</title></item><item><guid>2</guid></item></channel></rss>");
        String[] command = with(command("once", file), "--anyway");

        Path list = folder.resolve("skipped.jsonl");
        JsonNode first = json(with(command, "--skipped", list.toString()));
        JsonNode second = json(with(command, "--skipped", list.toString()));

        assertThat(Files.readAllLines(list))
                .singleElement(STRING)
                .startsWith("{\"file\":\"" + file + "\",\"record\":2,\"offset\":")
                .contains("\"kind\":\"entity\"");
        assertThat(first.path("sent").asInt()).isEqualTo(2);
        assertThat(first.path("skipped").toString()).isEqualTo("{\"entity\":1}");
        assertThat(second.path("sent").asInt()).isZero();
        assertThat(second.path("sentBefore").asInt()).isEqualTo(2);
        assertThat(committed("once")).containsExactlyInAnyOrder(file + ":1={\"id\":\"1\"}", file + ":3={\"id\":\"2\"}");
    }

    /** Whoever has said that none has a text, or where it is, is taken at the word. */
    @Test
    void shouldSendNothingWhereNoneOfTheFirstHasAText() throws Exception {
        Records.createTopic(BROKER.bootstrapServers(), "fields", 2);
        Path few = Files.writeString(folder.resolve("few.csv"), "nr,full text\n1,a\n2,b\n");
        Path many = Files.writeString(
                folder.resolve("many.jsonl"),
                "{\"nr\":1,\"doc\":{\"body\":\"a\"}}\n".repeat(100) + "{\"text\":\"a\"}\n");
        Path late = Files.writeString(folder.resolve("late.jsonl"), "{}\n".repeat(99) + "{\"text\":\"a\"}\n");

        assertThat(refused(command("fields", few)))
                .contains("none of the first 2 records has a text", few + ":2", "no-text")
                .contains("  /nr", "  /full text", "--anyway");
        assertThat(refused(command("fields", many)))
                .contains("none of the first 100 records has a text", "  /doc/body");
        assertThat(committed("fields")).isEmpty();

        assertThat(json(with(command("fields", few), "--set", "neardup.document.text=/full text"))
                        .path("sent")
                        .asInt())
                .isEqualTo(2);
        assertThat(json(with(command("fields", many), "--anyway")).path("sent").asInt())
                .isEqualTo(101);
        assertThat(json(command("fields", late)).path("sent").asInt()).isEqualTo(100);
    }

    @Test
    @Timeout(300)
    void shouldSayWhatIsSentWhereItIsStopped() throws Exception {
        Records.createTopic(BROKER.bootstrapServers(), "told", 1);
        Path file = Files.write(
                folder.resolve("told.jsonl"),
                IntStream.range(0, 1_000)
                        .mapToObj(i -> "{\"id\":\"" + i + "\"}")
                        .toList());
        String[] main = with(new String[] {"io.neardup.tools.cli.Main"}, command("told", file));
        List<String> arguments = List.of(with(main, "--rate", "20", "--anyway"));
        Process process = new ProcessBuilder(JavaCommand.of(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"), arguments))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            await().atMost(PATIENCE).until(() -> !Records.read(BROKER.bootstrapServers(), "told")
                    .isEmpty());
            // Not Ctrl-C: whoever runs tests in the background has it ignored.
            process.toHandle().destroy();

            JsonNode summary = new ObjectMapper().readTree(process.getInputStream());
            assertThat(process.waitFor()).isEqualTo(TERMINATED);
            assertThat(summary.path("sent").asInt())
                    .isBetween(1, 999)
                    .isEqualTo(committed("told").size());
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void shouldFailWithoutTheTopic() throws Exception {
        Path fine = Files.writeString(folder.resolve("fine.jsonl"), "{}\n");

        assertThat(failed(command("none", fine)))
                .contains("expected the topic none, found none of that name: create it")
                .contains("run --create-topics");
    }

    private static String[] command(String topic, Path file) {
        String servers = "bootstrap.servers=" + BROKER.bootstrapServers();
        return withSettings(List.of(servers), "feed", file.toString(), "--topic", topic, "--json");
    }

    /** Key and value of each committed record, once no transaction is open. */
    private static List<String> committed(String topic) {
        return Records.readSettled(BROKER.bootstrapServers(), topic).stream()
                .map(record -> new String(record.key(), UTF_8) + "=" + new String(record.value(), UTF_8))
                .toList();
    }
}
