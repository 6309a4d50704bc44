package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.service.migration.ClusterView;
import io.neardup.testing.Feeder;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A cutover as an operator sees it: what is refused, what is asked, and what is told meanwhile. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CutoverCommandIT extends CommandTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int PARTITIONS = 2;
    private static final String BOTH = "neardup.input.topics=documents,more";
    private static final String FOLLOWS = "neardup.successor.of=old";

    @RegisterExtension
    private static final SharedBroker BROKER = new SharedBroker();

    @TempDir
    private static Path folder;

    private static DedupService old;
    private static DedupService successor;

    @BeforeAll
    static void run() throws Exception {
        Records.createTopics(BROKER.bootstrapServers(), Outputs.WITH_INPUT, PARTITIONS);
        Records.createTopics(BROKER.bootstrapServers(), List.of("more"), PARTITIONS);
        old = start("old", BOTH);
        try (Outputs outputs = new Outputs(BROKER.bootstrapServers());
                Feeder feeder = new Feeder(BROKER.bootstrapServers(), "documents", PARTITIONS)) {
            feeder.feed(NewsFeed.generate(20, 3));
            outputs.await(20, PATIENCE);
        }
        successor = start("new", FOLLOWS);
    }

    @AfterAll
    static void stop() {
        old.close();
        successor.close();
    }

    private static NeardupConfig config(String applicationId, String... more) {
        List<String> settings = new ArrayList<>(List.of(
                "bootstrap.servers=" + BROKER.bootstrapServers(),
                "application.id=" + applicationId,
                "replication.factor=1",
                "num.stream.threads=1",
                "state.dir=" + folder.resolve(applicationId)));
        settings.addAll(List.of(more));
        return NeardupConfig.forCluster(new Settings().pairs(settings));
    }

    private static DedupService start(String applicationId, String... more) {
        DedupService service = DedupService.start(config(applicationId, more));
        await().atMost(PATIENCE).until(service::isRunning);
        return service;
    }

    private static String[] command(String line) {
        return withSettings(List.of("bootstrap.servers=" + BROKER.bootstrapServers()), line.split(" ", -1));
    }

    private String told(String line) {
        return printed(command(line));
    }

    private String refusal(String line) {
        return failed(command(line));
    }

    private void requireRefused(String why, String cutover) {
        assertThat(refusal("index cutover " + cutover)).contains(why);
        assertThat(told("index cutover --from old --status")).startsWith("old keeps its input");
    }

    @Test
    @Order(1)
    void shouldRefuseWhatNobodyWouldTakeOverAndOtherInputs() {
        requireRefused("application.id typo: expected an index, found none", "--from typo --status");
        requireRefused("found no index of that application.id", "--from old --to typo --now --yes");
        requireRefused("found the same", "--from old --to old --now --yes");
        requireRefused(
                "application.id new: expected an index that has taken over all of its own predecessor",
                "--from new --to old --now --yes");
        requireRefused(
                "application.id new: expected neardup.input.topics=documents,more, as of old, found documents;",
                "--from old --to new --now --yes");
    }

    /** As where its machine fails just then. */
    @Test
    @Order(3)
    void shouldTellWhoHasStillToDoWhat() {
        successor.close();
        try (ClusterView cluster = new ClusterView(config("old"))) {
            new CutoverRequest("old", cluster).ask("new");
        }
        assertThat(refusal("index cutover --from old --to other --now --yes"))
                .contains("Nothing was asked: old ")
                .contains(" its input over to new");
        await().atMost(PATIENCE).until(() -> old.ended().isDone());
        old.close();

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(told("index cutover --from old --status"))
                .startsWith("old has handed its input over to new, since ")
                .contains("new has still to take over. No service of new runs: start it."));
        assertThat(refusal("index reset --yes --set application.id=old"))
                .contains("application.id old: expected an index that nobody needs, found that application.id new"
                        + " takes it over, and has not all of it");
    }

    @Test
    @Order(4)
    void shouldTellWhatToDoWhereTheSuccessorHasOtherInputs() {
        successor = start("new", FOLLOWS);

        await().atMost(PATIENCE).until(() -> successor.alerts().stream()
                .anyMatch(note -> note.contains("neardup.input.topics: expected those that the predecessor read,"
                        + " documents,more, found documents; set it so and start again")));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(words(told("status --set application.id=new")))
                .contains("look at it follows application.id old until that has handed its input over, ")
                .contains(" records of that left to read"));
        assertThat(successor.status().isReady()).isFalse();
        successor.close();
    }

    @Test
    @Order(5)
    void shouldWaitUntilTheSuccessorHasTakenOver() {
        successor = start("new", FOLLOWS, BOTH);

        assertThat(told("index cutover --from old --to new --yes")).contains("That has taken over.");

        await().atMost(PATIENCE).until(() -> successor.status().isReady());
        assertThat(told("index cutover --from old --status")).contains("That has taken over.");
        assertThat(words(told("index reset --yes --set application.id=old")))
                .contains("First stop all instances of its successor new, and start them without neardup.successor.of")
                .contains("A later start of old begins anew");
    }
}
