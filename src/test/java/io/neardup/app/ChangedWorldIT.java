package io.neardup.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.local.EmbeddedBroker;
import io.neardup.testing.Feeder;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Promises;
import io.neardup.testing.Records;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody changes what is around the service: it says so and stops, and loses nothing that is not lost already. */
class ChangedWorldIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int PARTITIONS = 2;
    private static final List<News> NEWS = NewsFeed.generate(400, 11);
    private static final List<News> FIRST = NEWS.subList(0, 200);
    private static final List<News> SECOND = NEWS.subList(200, 400);

    @TempDir
    private Path folder;

    private EmbeddedBroker broker;
    private Admin admin;
    private Outputs outputs;
    private int starts;

    @BeforeEach
    void startBroker() throws Exception {
        broker = EmbeddedBroker.start(folder.resolve("broker"));
        admin = Admin.create(Map.<String, Object>of("bootstrap.servers", broker.bootstrapServers()));
        outputs = new Outputs(broker.bootstrapServers());
        for (String topic : List.of("documents", Outputs.UNIQUE, Outputs.DUPLICATE_OF, Outputs.DEAD_LETTER)) {
            create(topic);
        }
    }

    @AfterEach
    void stopBroker() {
        outputs.close();
        admin.close();
        broker.close();
    }

    /** With a state folder of its own each time: a service that could not stop at once still holds the last. */
    private NeardupConfig config(String... more) {
        List<String> pairs = new ArrayList<>(List.of(
                "bootstrap.servers=" + broker.bootstrapServers(),
                "state.dir=" + folder.resolve("state-" + starts++),
                "replication.factor=1"));
        pairs.addAll(List.of(more));
        return NeardupConfig.forCluster(new Settings().pairs(pairs));
    }

    private void create(String topic) throws Exception {
        Records.createTopic(broker.bootstrapServers(), topic, PARTITIONS);
    }

    private void delete(String topic) throws Exception {
        admin.deleteTopics(List.of(topic)).all().get();
        await("no " + topic)
                .atMost(PATIENCE)
                .until(() -> !admin.listTopics().names().get().contains(topic));
    }

    private void grow(String topic) throws Exception {
        admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(PARTITIONS + 1)))
                .all()
                .get();
    }

    private void deleteRecords(String topic, long beforeOffset) throws Exception {
        admin.deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(beforeOffset)))
                .all()
                .get();
    }

    private void feed(List<News> news) throws Exception {
        try (Feeder feeder = new Feeder(broker.bootstrapServers(), "documents", PARTITIONS)) {
            feeder.feed(news);
        }
    }

    /** An index that has seen the first half, and rests. */
    private void makeIndex() throws Exception {
        try (DedupService service = DedupService.start(config())) {
            feed(FIRST);
            outputs.await(FIRST.size(), PATIENCE);
            assertThat(service.ended()).isNotDone();
        }
    }

    private void assertRefused(String message, String... more) {
        assertThatThrownBy(() -> DedupService.start(config(more)))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining(message)
                .satisfies(
                        e -> assertThat(String.valueOf(e.getMessage()).lines()).hasSize(1));
    }

    private static void assertStops(DedupService service, String message) {
        assertThat(service.ended())
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(StartupException.class)
                .withMessageContaining(message);
    }

    /** Starts once more, and checks that all of both halves came out once. */
    private void assertAllComesOut(String... more) throws Exception {
        try (DedupService service = DedupService.start(config(more))) {
            outputs.await(NEWS.size(), PATIENCE);
            outputs.drain(Duration.ofMillis(500));
            assertThat(service.ended()).isNotDone();
            new Promises(NEWS, outputs).check(PARTITIONS);
        }
    }

    // ---- while it rests

    @Test
    void shouldRefuseAnInputThatHasGrown() throws Exception {
        makeIndex();
        grow("documents");
        assertRefused("topic neardup-replies: expected 3 partitions, as the input (documents) has 3, found 2");
    }

    @Test
    void shouldRefuseAChangelogThatHasGrown() throws Exception {
        makeIndex();
        grow("neardup-originals-changelog");
        assertRefused("topic neardup-originals-changelog: expected 2 partitions");
    }

    @ParameterizedTest
    @ValueSource(strings = {"neardup-lookups", "neardup-replies"})
    void shouldDoWithoutMessagesThatAreGone(String topic) throws Exception {
        makeIndex();
        delete(topic);
        feed(SECOND);
        assertAllComesOut();
    }

    @ParameterizedTest
    @ValueSource(strings = {"neardup-progress-changelog", "neardup-originals-changelog", "neardup-buckets-changelog"})
    void shouldRefuseAMissingChangelog(String topic) throws Exception {
        makeIndex();
        delete(topic);
        assertRefused("topic " + topic + ": expected a part of the index of application.id neardup, found none");
    }

    @Test
    void shouldRefuseAChangelogMadeAgain() throws Exception {
        makeIndex();
        delete("neardup-originals-changelog");
        create("neardup-originals-changelog");
        assertRefused("topic neardup-originals-changelog: expected a part of the index of application.id neardup,"
                + " found another topic made under its name");
    }

    @ParameterizedTest
    @CsvSource({"neardup-originals-changelog", "neardup-settings"})
    void shouldRefuseAnIndexWithoutItsBeginning(String topic) throws Exception {
        makeIndex();
        TopicAdmin topics = new TopicAdmin(admin, broker.bootstrapServers());
        topics.change(topic, Map.of("cleanup.policy", "delete"));
        deleteRecords(topic, 1);
        assertRefused("topic " + topic + ", partition 0: expected all that the index of application.id neardup wrote");
    }

    @Test
    void shouldStopWhereInputWasDeletedBeforeItWasRead() throws Exception {
        makeIndex();
        feed(SECOND);
        deleteRecords("documents", 150);

        try (DedupService service = DedupService.start(config())) {
            assertStops(
                    service,
                    "input documents-0: expected to go on from offset 100, found 150 as the first: 50 offsets were deleted"
                            + " before their records had left");
        }
        try (DedupService service = DedupService.start(config("neardup.input.deleted=skip"))) {
            outputs.await(NEWS.size() - 50, PATIENCE);
            outputs.drain(Duration.ofMillis(500));
            assertThat(outputs.size()).isEqualTo(NEWS.size() - 50);
            assertThat(service.ended()).isNotDone();
        }
    }

    @Test
    void shouldRefuseAnInputMadeAgain() throws Exception {
        makeIndex();
        delete("documents");
        create("documents");
        feed(SECOND);
        feed(NewsFeed.generate(200, 12));

        assertRefused("input topic documents: expected the topic that was read before");
    }

    @Test
    void shouldReadAnInputMadeAgainFromItsBeginningOnRequest() throws Exception {
        makeIndex();
        delete("documents");
        create("documents");
        feed(SECOND);
        assertAllComesOut("neardup.input.deleted=skip");
        assertAllComesOut();
    }

    @ParameterizedTest
    @ValueSource(strings = {"documents", Outputs.UNIQUE, Outputs.DUPLICATE_OF, Outputs.DEAD_LETTER})
    void shouldRefuseAMissingTopic(String topic) throws Exception {
        delete(topic);
        assertRefused("topic " + topic + " does not exist: create it");
    }

    @Test
    void shouldRefuseAStateFolderThatIsInUseOrNoFolder() throws Exception {
        String state = "state.dir=" + folder.resolve("state");
        try (DedupService service = DedupService.start(config(state))) {
            assertRefused("expected a folder that this process alone can write to", state);
            assertThat(service.ended()).isNotDone();
        }
        Path file = Files.writeString(folder.resolve("file"), "");
        assertRefused("state.dir " + file, "state.dir=" + file);
    }

    // ---- while it runs

    @ParameterizedTest
    @ValueSource(
            strings = {"neardup-lookups", "neardup-replies", "neardup-originals-changelog", "documents", "dead-letter"})
    void shouldStopWhenATopicIsDeleted(String topic) throws Exception {
        try (DedupService service = DedupService.start(config())) {
            feed(FIRST);
            outputs.await(FIRST.size(), PATIENCE);
            delete(topic);
            assertStops(service, "topic " + topic + ": expected the one that the service started with, found none");
        }
    }

    @Test
    void shouldLoseNothingWhenMessagesAreDeletedInFlight() throws Exception {
        try (DedupService service = DedupService.start(config())) {
            feed(FIRST);
            outputs.await(1, PATIENCE);
            delete("neardup-lookups");
            feed(SECOND);
            assertStops(service, "topic neardup-lookups");
        }
        assertAllComesOut();
    }

    @Test
    void shouldStopWhenTheInputGrows() throws Exception {
        try (DedupService service = DedupService.start(config())) {
            grow("documents");
            assertStops(
                    service,
                    "topic documents: expected the one that the service started with, with 2 partitions, found 3");
        }
    }

    @Test
    void shouldStopWhenTheInputIsMadeAgain() throws Exception {
        try (DedupService service = DedupService.start(config())) {
            feed(FIRST);
            outputs.await(FIRST.size(), PATIENCE);
            delete("documents");
            create("documents");
            assertStops(service, "topic documents: expected the one that the service started with, found");
        }
        feed(SECOND);
        assertAllComesOut("neardup.input.deleted=skip");
    }
}
