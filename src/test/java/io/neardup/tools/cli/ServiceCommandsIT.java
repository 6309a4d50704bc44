package io.neardup.tools.cli;

import static io.neardup.testing.World.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The commands that ask about a service, of the cluster and over HTTP: of one that runs, then stopped, then reset. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ServiceCommandsIT extends CommandTest {
    private static final String STORY =
            "the council met on monday to discuss the bridge over the river and put the decision off to next month";
    private static final String OTHER = "rain is expected in the north, with gales at the coast and snow on the hills";

    private static final List<String> TOPICS =
            List.of("documents", "unique", "duplicate-of", "dead-letter", "verdicts");

    @RegisterExtension
    private static final SharedBroker BROKER = new SharedBroker();

    @TempDir
    private static Path state;

    @TempDir
    private static Path folder;

    private static Path token;
    private static DedupService service;
    private static HttpEndpoints http;
    private static String url;

    @BeforeAll
    static void run() throws Exception {
        Records.createTopics(BROKER.bootstrapServers(), TOPICS, 2);
        token = Files.writeString(folder.resolve("token"), "a-token-of-letters-alone\n");
        NeardupConfig config = NeardupConfig.forCluster(new Settings().pairs(settings()));
        http = HttpEndpoints.open(config);
        service = DedupService.start(config);
        http.serve(service);
        url = "http://127.0.0.1:" + http.ports().get(0);
        News nearWeather = new News("weather/2", OTHER + " and more of both towards the end");
        List<News> news = List.of(
                new News("bridge/1", STORY),
                new News("weather", OTHER),
                new News("bridge/2", STORY.replace("monday", "friday")),
                new News("blank", " "));
        try (Outputs outputs = new Outputs(BROKER.bootstrapServers());
                Feeder feeder = new Feeder(BROKER.bootstrapServers(), "documents", 2)) {
            for (News one : news) {
                feeder.feed(one, 1);
            }
            outputs.await(news.size(), PATIENCE);
            feeder.feed(nearWeather, 1); // Others are decided by now.
            outputs.await(news.size() + 1, PATIENCE);
        }
        // So both of its threads are members of the group.
        await().atMost(PATIENCE).until(service::isRunning);
    }

    @AfterAll
    static void close() {
        service.close();
        http.close();
    }

    private static List<String> settings() {
        return List.of(
                "bootstrap.servers=" + BROKER.bootstrapServers(),
                "state.dir=" + state,
                "replication.factor=1",
                "neardup.hash.seed=1",
                "neardup.document.html=true",
                "neardup.outputs=records,verdicts",
                "neardup.scope=header:desk é",
                "neardup.http.token.file=" + token,
                "neardup.http.listen=127.0.0.1:0");
    }

    private static String[] arguments(String... command) {
        return withSettings(settings(), command);
    }

    private static String[] instance(String... command) {
        return with(command, "--url", url + "/", "--token-file", token.toString());
    }

    // ---- why

    @Test
    @Order(1)
    void shouldTellWhyADocumentIsADuplicate() throws Exception {
        assertThat(words(printed(arguments("why", "bridge/2"))))
                .contains("outcome duplicate")
                .contains("neardup.duplicate-of bridge/1")
                .contains("neardup.similarity 0.78")
                .contains("record.topic duplicate-of record.partition 1 record.offset 0")
                .contains("originalRecord.topic unique originalRecord.partition 1 originalRecord.offset 0")
                .contains("met on monday", "met on friday");
        assertThat(json(arguments("why", "bridge/2", "--json"))
                        .get("neardup.similarity")
                        .isNumber())
                .isTrue();
    }

    @Test
    @Order(1)
    void shouldTellWhyADocumentIsADeadLetter() {
        assertThat(words(printed(arguments("why", "blank"))))
                .contains("outcome dead-letter")
                .contains("neardup.reason blank-text")
                .contains("neardup.source.topic documents");
    }

    @Test
    @Order(1)
    void shouldSayWhereItHasLooked() {
        assertThat(failed(arguments("why", "bridge/3")))
                .contains(
                        "bridge/3: expected a document of this id, found none on unique, duplicate-of, dead-letter, nor"
                                + " on documents, read back to the first record");
    }

    /** The documents are of the year 2026, whenever this runs; those of a later time are not there. */
    @Test
    @Order(1)
    void shouldGoBackNoFurtherThanAsked() {
        assertThat(printed(arguments("why", "weather", "--since", "2025-12-01T00:00:00Z")))
                .isNotEmpty();
        assertThat(failed(arguments("why", "weather", "--since", "2036-01-31T08:00:00Z")))
                .contains("read back to --since 2036-01-31T08:00:00Z");
        assertThat(refused(arguments("why", "weather", "--since", "yesterday")))
                .contains("--since: expected a time such as 12h");
    }

    @Test
    @Order(1)
    void shouldTellTheNearestOfADocumentThatIsUnique() throws Exception {
        JsonNode found = json(arguments("why", "weather/2", "--json"));
        assertThat(found.at("/verdict/nearest/id").asText()).isEqualTo("weather");
        assertThat(found.at("/verdict/nearest/place").asText()).startsWith("documents-");
        assertThat(found.get("outcome").asText()).isEqualTo("unique");
        assertThat(found.at("/record/topic").asText()).isEqualTo("unique");
    }

    // ---- check

    @Test
    @Order(1)
    void shouldTellOfWhatADocumentWouldBeADuplicate() throws Exception {
        Path documents = Files.writeString(folder.resolve("documents.jsonl"), """
            {"id":"copy","text":"Rain is expected in the north, with gales at the coast and snow on the hills"}

            {"id":"other","text":"nothing of the kind"}
            {"id":"none"}
            """);

        assertThat(execute(instance("check", documents.toString()))).isOne();
        assertThat(out.toString()).isEqualTo("""
            copy  duplicate of weather, similarity 1.000
            other  unique; no candidate was compared
            line 4 of @  not checked: no-text, expected a string at /text, found none
            """.replace("@", documents.toString()));
        assertThat(err.toString()).contains("check: 1 of 3 documents were not checked");

        assertThat(execute(instance("check", documents.toString(), "--json"))).isOne();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(2))
                .startsWith("{\"file\":\"" + documents + "\",\"line\":4,\"code\":\"no-text\",\"error\":\"expected");
    }

    @Test
    @Order(1)
    void shouldSayHowToCheckLinesOfPlainText() throws Exception {
        Path plain = Files.writeString(folder.resolve("plain"), "just a text\n");

        assertThat(refused(instance("check", plain.toString()))).contains("--lines of check, takes every line");
    }

    /** The documents of the index have no scope. */
    @Test
    @Order(1)
    void shouldAskWithTheHeadersOfARecord() throws Exception {
        Path page = Files.writeString(folder.resolve("page.json"), """
            [{"id":"page",
            "text":"<nav>menu</nav><p>rain is expected in the north,<br>with gales at the coast and snow on the hills"}]
            """);

        assertThat(printed(instance("check", page.toString(), "--header", "other=1")))
                .startsWith("page  duplicate of weather, similarity 1.000");

        assertThat(printed(instance("check", page.toString(), "--header", "desk é=sport %")))
                .startsWith("page  unique; no candidate was compared");

        assertThat(refused(instance("check", page.toString(), "--header", "desk")))
                .contains("--header: expected NAME=VALUE, found desk");
    }

    // ---- status and reset

    @Test
    @Order(1)
    void shouldTellTheStatusOfAnInstance() throws Exception {
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(words(printed(instance("status"))))
                    .startsWith("url " + url + " applicationId neardup instance.state running")
                    .contains("instance.documents.unique 3 instance.documents.duplicates 1")
                    .contains("instance.documents.deadLettersByReason.blank-text 1")
                    .contains("group.state Stable group.members 2 group.lag 0");
        });

        JsonNode told = json(instance("status", "--json"));
        assertThat(told.at("/instance/documents/unique").asInt()).isEqualTo(3);
        assertThat(told.at("/group/lagByPartition/0/topic").asText()).isEqualTo("documents");
    }

    @Test
    @Order(1)
    void shouldSayWhatIsWrongWithTheAddressOrTheToken() throws Exception {
        Path other = Files.writeString(folder.resolve("other"), "another-token-of-letters");

        assertThat(failed("status", "--url", url))
                .contains(
                        url + ": expected an answer of neardup, found status 401 no-token",
                        "by --token-file its token");
        assertThat(failed("status", "--url", url, "--token-file", other.toString()))
                .contains("found status 401 no-token");
        assertThat(refused("status", "--url", "localhost:8080"))
                .contains("--url: expected http://host:port of a service, found localhost:8080");
        assertThat(refused("status", "--url", url, "--set", "application.id=x"))
                .contains("--set: no effect with --url");
    }

    @Test
    @Order(1)
    void shouldSayThatNobodyAnswersOrAnother() throws Exception {
        HttpServer another = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        another.createContext("/", exchange -> {
            byte[] body = "<html>welcome</html>".getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        another.start();
        String nobody = "expected a service that answers over HTTP within 10 s, found java";
        Map<String, String> answers = Map.of(
                "127.0.0.1:1",
                nobody,
                BROKER.bootstrapServers(),
                nobody,
                "127.0.0.1:" + another.getAddress().getPort(),
                "expected an answer of neardup, found status 200");
        for (String command : List.of("status", "check " + Files.writeString(folder.resolve("one.jsonl"), "{}\n"))) {
            answers.forEach((at, message) -> assertThat(failed((command + " --url http://" + at).split(" ", -1)))
                    .contains("http://" + at + ": " + message));
        }
        another.stop(0);
    }

    /** Somebody waits: they are told what is asked, and soon that nobody answers. */
    @Test
    @Order(1)
    void shouldSayWhichClusterDoesNotAnswer() {
        assertThat(failed("status", "--set", "bootstrap.servers=127.0.0.1:1"))
                .startsWith("contacting bootstrap.servers 127.0.0.1:1 ...")
                .contains("bootstrap.servers 127.0.0.1:1: expected an answer from the cluster within 10 s, found"
                        + " TimeoutException; check the address")
                .doesNotContain("create it", "\tat ");
    }

    @Test
    @Order(2)
    void shouldTellTheStatusOfARunningService() throws Exception {
        await().atMost(PATIENCE).untilAsserted(() -> {
            JsonNode status = json(arguments("status", "--json"));
            assertThat(status.get("inputs").get(1).get("lag").asLong()).isZero();
            assertThat(status.get("inputs").get(1).get("heldMax").asLong()).isZero();
        });
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(words(printed(arguments("status"))))
                    .contains("groupState Stable instances 1 members clientId neardup-")
                    .containsPattern("clientId neardup-.* documents-1")
                    .contains("index.settings.neardup.shingle char:9")
                    .doesNotContain("hashSeed");
        });
    }

    @Test
    @Order(2)
    void shouldRefuseToResetARunningService() {
        assertThat(failed(arguments("index", "reset", "--yes")))
                .contains("group neardup: expected no members, found 2; stop all instances");
    }

    @Test
    @Order(3)
    void shouldTellTheStatusOfAStoppedService() throws Exception {
        service.close();
        try (Feeder feeder = new Feeder(BROKER.bootstrapServers(), "documents", 2)) {
            feeder.feed(new News("late", OTHER), 0);
        }

        // The cluster completes a commit, here of what was fed, after it has confirmed it.
        await().atMost(PATIENCE).untilAsserted(() -> {
            JsonNode status = json(arguments("status", "--json"));
            assertThat(status.get("groupState").asText()).isEqualTo("Empty");
            assertThat(status.get("members")).isEmpty();
            assertThat(status.get("problems")).hasSize(1);
            assertThat(status.at("/problems/0").asText()).startsWith("no instance runs");
            assertThat(status.get("inputs").get(0).get("lag").asLong()).isPositive();
        });
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(words(printed(arguments("why", "late"))))
                .contains("on no output: it has not left yet"));
        assertThat(words(printed(arguments("why", "documents-0-0")))).contains("id late outcome not-left");
    }

    @Test
    @Order(4)
    void shouldAskBeforeItDeletes() throws Exception {
        assertThat(executeWithInput(new ByteArrayInputStream("no\n".getBytes(UTF_8)), arguments("index", "reset")))
                .isEqualTo(1);

        assertThat(words(out.toString()))
                .contains("topic neardup-settings", "topic neardup-lookups", "group neardup,", "folder " + state)
                .contains("Left alone: documents, unique, duplicate-of, dead-letter, verdicts.");
        assertThat(err.toString()).contains("Nothing was deleted.");
        assertThat(topics()).contains("neardup-settings", "neardup-originals-changelog");
    }

    @Test
    @Order(5)
    void shouldDeleteTheIndexAndLeaveInputsAndOutputs() throws Exception {
        assertThat(printed(arguments("index", "reset", "--yes"))).contains("Deleted.");
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(topics())
                .filteredOn(topic -> !topic.startsWith("__"))
                .containsExactlyInAnyOrderElementsOf(TOPICS));
        assertThat(Records.readCommitted(BROKER.bootstrapServers(), "unique", 3))
                .hasSize(3);
        try (var left = Files.list(state)) {
            assertThat(left).isEmpty();
        }
        assertThat(words(printed(arguments("status"))))
                .contains("groupState none", "never")
                .doesNotContain("index.id");
        assertThat(json(arguments("status", "--json", "--set", "neardup.input.topics=nowhere"))
                        .at("/problems/0")
                        .asText())
                .contains("topic nowhere: expected one that the service needs, found none; create it");
        assertThat(printed(arguments("index", "reset"))).contains("Nothing is there of application.id neardup.");
    }

    private static Set<String> topics() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", BROKER.bootstrapServers()))) {
            return admin.listTopics().names().get();
        }
    }
}
