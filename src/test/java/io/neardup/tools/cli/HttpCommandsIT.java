package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.http.HttpEndpoints;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.testing.Feeder;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The commands that ask a running service over HTTP. */
class HttpCommandsIT extends CommandTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String STORY = "the harbour bridge opens again after a year of work on its cables";

    @RegisterExtension
    static final SharedBroker BROKER = new SharedBroker();

    @TempDir
    private static Path folder;

    private static Path token;
    private static DedupService service;
    private static HttpEndpoints http;
    private static String url;

    @BeforeAll
    static void run() throws Exception {
        Records.createTopics(BROKER.bootstrapServers(), Outputs.WITH_INPUT, 1);
        token = Files.writeString(folder.resolve("token"), "a-token-of-letters-alone\n");
        List<String> pairs = new ArrayList<>(settings());
        pairs.add("state.dir=" + folder.resolve("state"));
        pairs.add("replication.factor=1");
        NeardupConfig config = NeardupConfig.forCluster(new Settings().pairs(pairs));
        http = HttpEndpoints.open(config);
        service = DedupService.start(config);
        http.serve(service);
        url = "http://127.0.0.1:" + http.ports().get(0);
        try (Outputs outputs = new Outputs(BROKER.bootstrapServers());
                Feeder feeder = new Feeder(BROKER.bootstrapServers(), "documents", 1)) {
            feeder.feed(List.of(
                    new News("first", STORY),
                    new News("second", STORY + " and of talks that nobody believed in"),
                    new News("blank", " ")));
            outputs.await(3, PATIENCE);
        }
        await().atMost(PATIENCE).until(service::isRunning);
    }

    @AfterAll
    static void stop() {
        service.close();
        http.close();
    }

    private static List<String> settings() {
        return List.of(
                "bootstrap.servers=" + BROKER.bootstrapServers(),
                "neardup.hash.seed=1",
                "neardup.document.html=true",
                "neardup.scope=header:desk é",
                "neardup.http.token.file=" + token,
                "neardup.http.listen=127.0.0.1:0");
    }

    private int ask(String... command) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return execute(command);
    }

    private int askWithToken(String... command) {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of("--url", url + "/", "--token-file", token.toString()));
        return ask(arguments.toArray(String[]::new));
    }

    private int why(String... more) {
        return askWithToken(Stream.concat(Stream.of(withSettings(settings(), "why")), Stream.of(more))
                .toArray(String[]::new));
    }

    // ---- check

    @Test
    void shouldTellOfWhatADocumentWouldBeADuplicate() throws Exception {
        Path documents = Files.writeString(folder.resolve("documents.jsonl"), """
                {"id":"copy","text":"The harbour bridge opens again after a year of work on its cables"}

                {"id":"other","text":"nothing of the kind"}
                {"id":"none"}
                """);

        assertThat(askWithToken("check", documents.toString())).isOne();
        assertThat(out.toString()).isEqualTo("""
                copy  duplicate of first, 1.000 alike
                other  unique; nothing like it shares a bucket
                line 4  not checked: no-text, expected a string at /text, found none
                """);
        assertThat(err.toString()).contains("check: 1 of 3 documents were not checked");

        assertThat(askWithToken("check", documents.toString(), "--json")).isOne();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(2)).startsWith("{\"line\":4,\"reason\":\"no-text\",\"error\":\"expected");
    }

    /** The documents of the index have no scope. */
    @Test
    void shouldAskWithTheHeadersOfARecord() throws Exception {
        Path page = Files.writeString(folder.resolve("page.json"), """
                [{"id":"page",
                "text":"<nav>menu</nav><p>the harbour bridge opens<br>again after a year of work on its cables"}]
                """);

        assertThat(askWithToken("check", page.toString(), "--header", "other=1"))
                .isZero();
        assertThat(out.toString()).startsWith("page  duplicate of first, 1.000 alike");

        assertThat(askWithToken("check", page.toString(), "--header", "desk é=sport %"))
                .isZero();
        assertThat(out.toString()).startsWith("page  unique; nothing like it shares a bucket");

        assertThat(askWithToken("check", page.toString(), "--header", "desk")).isEqualTo(2);
        assertThat(err.toString()).contains("--header: expected NAME=VALUE, found desk");
    }

    // ---- status

    @Test
    void shouldTellTheStatusOfAnInstance() throws Exception {
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(askWithToken("status")).as(err.toString()).isZero();
            assertThat(out.toString())
                    .startsWith("application.id  neardup\n")
                    .contains("instance        " + url + ", running, tasks 5\n")
                    .contains("since its start unique 2, duplicates 0, dead letters 1 (blank-text 1)\n")
                    .contains("pending         0, the oldest for 0.0 s")
                    .contains("group           Stable, members 2")
                    .containsPattern("(?m)^documents-0 +0$");
        });

        assertThat(askWithToken("status", "--json")).isZero();
        JsonNode told = new ObjectMapper().readTree(out.toString());
        assertThat(told.at("/instance/documents/unique").asInt()).isEqualTo(2);
        assertThat(told.at("/group/lagByPartition/0/topic").asText()).isEqualTo("documents");
    }

    @Test
    void shouldSayWhatIsWrongWithTheAddressOrTheToken() throws Exception {
        Path other = Files.writeString(folder.resolve("other"), "another-token-of-letters");

        assertThat(ask("status", "--url", url)).isOne();
        assertThat(err.toString()).contains(url + ": expected the token that it wants, found none; give --token-file");
        assertThat(ask("status", "--url", url, "--token-file", other.toString()))
                .isOne();
        assertThat(err.toString()).contains("the token that it wants, found another");
        assertThat(ask("status", "--url", "localhost:8080")).isEqualTo(2);
        assertThat(err.toString()).contains("--url: expected http://host:port of a service, found localhost:8080");
        assertThat(ask("status", "--url", url, "--set", "application.id=x")).isEqualTo(2);
        assertThat(err.toString()).contains("--config and --set: of no effect beside --url");
    }

    @Test
    void shouldSayThatNobodyAnswersOrAnother() throws Exception {
        for (String command : List.of("status", "check")) {
            List<String> arguments = new ArrayList<>(List.of(command, "--url", "http://127.0.0.1:1"));
            if (command.equals("check")) {
                arguments.add(
                        Files.writeString(folder.resolve("one.jsonl"), "{}\n").toString());
            }
            assertThat(ask(arguments.toArray(String[]::new))).isOne();
            assertThat(err.toString())
                    .contains("http://127.0.0.1:1: expected a service that answers over HTTP, found none; if it");

            arguments.set(2, "http://" + BROKER.bootstrapServers());
            assertThat(ask(arguments.toArray(String[]::new))).isOne();
            assertThat(err.toString()).contains("expected a service that answers over HTTP, found something else");

            HttpServer another = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            another.createContext("/", exchange -> {
                byte[] body = "<html>welcome</html>".getBytes(UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            another.start();
            arguments.set(2, "http://127.0.0.1:" + another.getAddress().getPort());
            assertThat(ask(arguments.toArray(String[]::new))).isOne();
            another.stop(0);
            assertThat(err.toString()).contains("expected an answer of neardup, found status 200; give by --url");
        }
    }

    // ---- why

    @Test
    void shouldTellTheNearestOfADocumentThatIsUnique() throws Exception {
        assertThat(why("first")).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains("outcome            unique")
                .containsPattern("(?m)^nearest +second, 0.[56]");

        assertThat(why("second", "--json")).isZero();
        JsonNode found = new ObjectMapper().readTree(out.toString());
        assertThat(found.at("/nearest")).hasSize(1);
        assertThat(found.at("/nearest/0/id").asText()).isEqualTo("first");
        assertThat(found.at("/nearest/0/similarity").asDouble()).isBetween(0.5, 0.7);
    }

    @Test
    void shouldTellTheRestWhereNoServiceOrAnotherAnswers() {
        assertThat(why("first", "--set", "application.id=other")).isZero();
        assertThat(out.toString())
                .contains("outcome            unique")
                .contains("nearest            not asked: " + url
                        + ": expected the service of application.id other, found neardup; give by --url its address");

        assertThat(ask(withSettings(settings(), "why", "first", "--url", "http://127.0.0.1:1")))
                .isZero();
        assertThat(out.toString())
                .contains("outcome            unique")
                .contains("nearest            not asked: http://127.0.0.1:1: expected a service that answers over HTTP,"
                        + " found none; if it should run there, the end of its log tells why it stopped");
    }
}
