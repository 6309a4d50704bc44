package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.testing.Feeder;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The commands that ask about a service: of one that runs, then stopped, then reset. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ServiceCommandsIT extends CommandTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String STORY =
            "the council met on monday to discuss the bridge over the river and put the decision off to next month";
    private static final String OTHER = "rain is expected in the north, with gales at the coast and snow on the hills";

    @RegisterExtension
    private static final SharedBroker BROKER = new SharedBroker();

    @TempDir
    private static Path state;

    private static DedupService service;

    @BeforeAll
    static void run() throws Exception {
        Records.createTopics(BROKER.bootstrapServers(), Outputs.WITH_INPUT, 2);
        List<String> pairs = new ArrayList<>(settings());
        pairs.add("replication.factor=1");
        service = DedupService.start(NeardupConfig.forCluster(new Settings().pairs(pairs)));
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
        }
        // So both of its threads are members of the group.
        await().atMost(PATIENCE).until(service::isRunning);
    }

    private static List<String> settings() {
        return List.of("bootstrap.servers=" + BROKER.bootstrapServers(), "state.dir=" + state, "neardup.hash.seed=1");
    }

    private static String[] arguments(String... command) {
        return withSettings(settings(), command);
    }

    private int ask(String... command) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return execute(arguments(command));
    }

    // ---- why

    @Test
    @Order(1)
    void shouldTellWhyADocumentIsADuplicate() {
        assertThat(ask("why", "bridge/2")).as(err.toString()).isZero();

        assertThat(out.toString())
                .contains("outcome            duplicate")
                .contains("original           bridge/1")
                .contains("similarity         0.78")
                .contains("of it in original  0.88")
                .contains("record             duplicate-of-1 offset 0, 20")
                .contains("original's record  unique-1 offset 0, 20")
                .contains("met on monday", "met on friday");
    }

    @Test
    @Order(1)
    void shouldTellThatADocumentIsUnique() throws Exception {
        JsonNode found = json(arguments("why", "weather", "--json"));

        assertThat(found.get("outcome").asText()).isEqualTo("unique");
        assertThat(found.get("record").get("topic").asText()).isEqualTo("unique");
    }

    @Test
    @Order(1)
    void shouldTellWhyADocumentIsADeadLetter() {
        assertThat(ask("why", "blank")).isZero();

        assertThat(out.toString())
                .contains("outcome            dead letter")
                .contains("reason             blank-text")
                .contains("source topic       documents");
    }

    @Test
    @Order(1)
    void shouldSayWhereItHasLooked() {
        assertThat(ask("why", "bridge/3")).isEqualTo(1);
        assertThat(err.toString())
                .contains(
                        "bridge/3: expected a document of this id, found none on unique, duplicate-of, dead-letter, nor"
                                + " on documents, read back to the first record");
    }

    /** The documents are of the year 2026, whenever this runs; those of a later time are not there. */
    @Test
    @Order(1)
    void shouldGoBackNoFurtherThanAsked() {
        assertThat(ask("why", "weather", "--since", "2025-12-01T00:00:00Z")).isZero();
        assertThat(ask("why", "weather", "--since", "2036-01-31T08:00:00Z")).isEqualTo(1);
        assertThat(err.toString()).contains("read back to --since 2036-01-31T08:00:00Z");
        assertThat(ask("why", "weather", "--since", "yesterday")).isEqualTo(2);
        assertThat(err.toString()).contains("--since: expected a time such as 12h");
    }

    // ---- status and reset

    /** Somebody waits: they are told what is asked, and soon that nobody answers. */
    @Test
    @Order(1)
    void shouldSayWhichClusterDoesNotAnswer() {
        assertThat(execute("status", "--set", "bootstrap.servers=127.0.0.1:1")).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("asking bootstrap.servers 127.0.0.1:1 ...")
                .contains("bootstrap.servers 127.0.0.1:1: expected an answer about topics within 10 s")
                .doesNotContain("\tat ");
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
            assertThat(ask("status")).isZero();
            assertThat(out.toString())
                    .contains("group           Stable, instances 1, members 2")
                    .contains("not who should be")
                    .containsPattern("(?m)^ +neardup-.*documents-1")
                    .contains("neardup.shingle = char:9")
                    .doesNotContain("hashSeed");
        });
    }

    @Test
    @Order(2)
    void shouldRefuseToResetARunningService() {
        assertThat(ask("reset", "--yes")).isEqualTo(1);
        assertThat(err.toString()).contains("group neardup: expected no members, found 2; stop all instances");
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
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(ask("why", "late")).isZero());
        assertThat(out.toString()).contains("is on no output: it has not left yet", "documents-0 offset 0");
    }

    @Test
    @Order(4)
    void shouldAskBeforeItDeletes() throws Exception {
        assertThat(executeWithInput(new ByteArrayInputStream("no\n".getBytes(UTF_8)), arguments("reset")))
                .isEqualTo(1);

        assertThat(out.toString())
                .contains("topic  neardup-settings", "topic  neardup-lookups", "group  neardup", "folder " + state)
                .contains("Left alone: documents, unique, duplicate-of, dead-letter.");
        assertThat(err.toString()).contains("Nothing was deleted.");
        assertThat(topics()).contains("neardup-settings", "neardup-originals-changelog");
    }

    @Test
    @Order(5)
    void shouldDeleteTheIndexAndLeaveInputsAndOutputs() throws Exception {
        assertThat(ask("reset", "--yes")).as(err.toString()).isZero();

        assertThat(out.toString()).contains("Deleted.");
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(topics())
                .filteredOn(topic -> !topic.startsWith("__"))
                .containsExactlyInAnyOrderElementsOf(Outputs.WITH_INPUT));
        assertThat(Records.readCommitted(BROKER.bootstrapServers(), "unique", 2))
                .hasSize(2);
        try (var left = Files.list(state)) {
            assertThat(left).isEmpty();
        }
        assertThat(ask("status")).isZero();
        assertThat(out.toString()).contains("group           none", "never", "index           none");
        assertThat(json(arguments("status", "--json", "--set", "neardup.input.topics=nowhere"))
                        .at("/problems/0")
                        .asText())
                .contains("topic nowhere: expected one that the service needs, found none; create it");
        assertThat(ask("reset")).isZero();
        assertThat(out.toString()).contains("Nothing is there of application.id neardup.");
    }

    private static Set<String> topics() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", BROKER.bootstrapServers()))) {
            return admin.listTopics().names().get();
        }
    }
}
