package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.testing.Fed;
import io.neardup.testing.Feeder;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.Judge;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code local --serve} and {@code local --tune}. */
class LocalCommandIT extends CommandTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int TERMINATED = 128 + 15;
    private static final int PARTITIONS = 2;
    private static final Pattern BROKER = Pattern.compile("(?m)^  broker   (127\\.0\\.0\\.1:(\\d+))$");

    /** The news are stamped at the beginning of 2026, those of the sample when they are sent. */
    private static final List<String> SETTINGS = List.of(
            "neardup.http.listen=127.0.0.1:0", "neardup.retention=forever", "neardup.outputs=records,verdicts,stories");

    private final List<News> news = NewsFeed.generate(3_000, 8);
    private final Path folder;

    LocalCommandIT(@TempDir Path folder) {
        this.folder = folder;
    }

    /** Killed in the midst of documents of others; these are not counted where a file is sent then. */
    @Test
    @Timeout(600)
    void shouldGoOnInItsFolderAfterAKill() throws Exception {
        int half = news.size() / 2;
        try (InstanceProcess first = start("first", "--partitions", String.valueOf(PARTITIONS))) {
            String servers = servers(first);
            refuse(2, "found one that another broker uses", data());
            refuse(1, "expected a free one, found it in use", "--port", servers.substring(servers.indexOf(':') + 1));
            try (Feeder feeder = new Feeder(servers, "documents", PARTITIONS);
                    Outputs outputs = new Outputs(servers)) {
                feeder.feed(news.subList(0, half));
                outputs.await(50, PATIENCE);
            }
            first.killHard();
        }
        refuse(2, "expected topic documents with the 3 partitions of --partitions, found 2", data("--partitions", "3"));
        refuse(
                1,
                "start anew in another folder than " + folder.resolve("data"),
                data("--set", "neardup.shingle=char:5"));
        String one = "{\"id\":\"one\",\"text\":\"what nobody has written so far, of any\"}\n";
        Path file = Files.writeString(folder.resolve("two.jsonl"), one + one.replace("\"one\"", "\"two\""));
        Path out = folder.resolve("out");

        try (InstanceProcess second = start("second", file.toString(), "--json", "--out", out.toString())) {
            String servers = servers(second);
            assertThat(second.log()).contains("{\"documents\":2,\"unique\":1,\"bounded\":0,\"duplicates\":1,");
            assertThat(out.resolve("verdicts.jsonl")).content().contains("\"id\":\"one\"", "\"id\":\"two\"");
            assertThat(out.resolve("stories.jsonl")).content().contains("\"copies\":1,", "\"two\"");
            try (Feeder feeder = new Feeder(servers, "documents", PARTITIONS)) {
                feeder.feed(news.subList(half, news.size()));
            }
            Judge judge = Judge.of(news, PARTITIONS);
            try (Outputs outputs = new Outputs(servers, record -> {
                if (record.headers().lastHeader(Fed.NAME) != null) {
                    judge.take(record);
                }
            })) {
                outputs.await(2 + news.size(), PATIENCE);
                outputs.drain(Duration.ofSeconds(2));
                assertThat(outputs.size()).isEqualTo(2 + news.size());
            }
            judge.conclude();
            assertThat(second.stop()).isEqualTo(TERMINATED);
        }
    }

    /** It is on that broker that the successor takes over, now and after a restart. */
    @Test
    @Timeout(600)
    void shouldKeepTheBrokerForASuccessor() throws Exception {
        String handedOver = "handed its input over to application.id next, for good. The broker at ";
        try (InstanceProcess first = start("first", "--partitions", String.valueOf(PARTITIONS))) {
            String servers = servers(first);
            List<String> settings = List.of(
                    "bootstrap.servers=" + servers,
                    "application.id=next",
                    "replication.factor=1",
                    "neardup.successor.of=neardup-local",
                    "neardup.retention=forever",
                    "neardup.outputs=records,verdicts,stories");
            try (InstanceProcess next = InstanceProcess.start(folder.resolve("next"), settings);
                    Feeder feeder = new Feeder(servers, "documents", PARTITIONS);
                    Outputs outputs = new Outputs(servers)) {
                String cutover = "index cutover --from neardup-local --to next --yes --bootstrap-server " + servers;
                await().atMost(PATIENCE).untilAsserted(() -> assertThat(execute(cutover.split(" ", -1)))
                        .as(err + next.log())
                        .isZero());
                feeder.feed(news.subList(0, 20));
                outputs.await(20, PATIENCE);
            }
            assertThat(first.log()).contains(handedOver + servers + " goes on until Ctrl-C");
            assertThat(first.stop()).isEqualTo(TERMINATED);
        }
        Path file = Files.writeString(folder.resolve("one.jsonl"), "{\"id\":\"one\",\"text\":\"not sent\"}\n");
        refuse(
                2,
                "found that it handed it over to application.id next: start without files, and the broker runs",
                data(file.toString()));
        try (InstanceProcess second = start("second")) {
            String servers = servers(second);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(second.log()).contains("  page     none", handedOver + servers));
            assertThat(second.isAlive()).isTrue();
            assertThat(second.stop()).isEqualTo(TERMINATED);
        }
    }

    private String[] data(String... more) {
        return with(new String[] {"--data", folder.resolve("data").toString()}, more);
    }

    private static String[] serve(String... more) {
        return withSettings(SETTINGS, with(new String[] {"local", "--serve"}, more));
    }

    private InstanceProcess start(String name, String... more) throws IOException {
        return InstanceProcess.command(folder.resolve(name), List.of(serve(data(more))));
    }

    /** Where it listens, once it serves. */
    private static String servers(InstanceProcess process) {
        return await().atMost(PATIENCE)
                .until(
                        () -> {
                            assertThat(process.isAlive()).as(process.log()).isTrue();
                            Matcher broker = BROKER.matcher(process.log());
                            return broker.find() ? broker.group(1) : "";
                        },
                        found -> !found.isEmpty());
    }

    private void refuse(int exit, String message, String... more) {
        assertThat(execute(serve(more))).as(err.toString()).isEqualTo(exit);
        assertThat(err.toString()).contains(message);
    }

    // ---- with what tune proposes

    @Test
    @Timeout(120)
    void shouldRunWithWhatItProposes() throws IOException {
        Path file = Files.write(folder.resolve("documents.jsonl"), TuneCommandTest.documentsAndCopies());

        List<String> lines = printed("local", file.toString(), "--tune").lines().toList();

        assertThat(lines).first().asString().startsWith("Copies and unrelated documents separate:");
        assertThat(lines)
                .anyMatch(line -> line.startsWith("neardup.similarity.threshold="))
                .anyMatch(line -> line.startsWith("neardup.banding="))
                .anyMatch(line -> line.matches("duplicates +40"));
    }

    /** Of the standard input, with what is solved for the threshold left to the service. */
    @Test
    @Timeout(120)
    void shouldSetOverWhatItProposes() {
        String documents = String.join("\n", TuneCommandTest.documentsAndCopies());
        String command = "local - --tune --set neardup.similarity.threshold=0.99";
        int exit = executeWithInput(new ByteArrayInputStream(documents.getBytes(UTF_8)), command.split(" ", -1));

        assertThat(exit).as(err.toString()).isZero();
        assertThat(out.toString().lines())
                .anyMatch(line -> line.startsWith("neardup.shingle="))
                .anyMatch(line -> line.matches("documents +120"))
                .anyMatch(line -> line.matches("duplicates +0"))
                .noneMatch(
                        line -> line.startsWith("neardup.similarity.threshold") || line.startsWith("neardup.banding"));
    }
}
