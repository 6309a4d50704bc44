package io.neardup.service.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.cluster.StartupException;
import io.neardup.testing.Feeder;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Promises;
import io.neardup.testing.Records;
import io.neardup.tools.local.EmbeddedBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A broker, the topics and an index, for somebody to change. */
abstract class ChangedWorld {
    static final Duration PATIENCE = Duration.ofMinutes(2);
    static final int PARTITIONS = 2;
    static final List<News> NEWS = NewsFeed.generate(400, 11);
    static final List<News> FIRST = NEWS.subList(0, 200);
    static final List<News> SECOND = NEWS.subList(200, 400);

    final EmbeddedBroker broker;
    final String servers;
    final Admin admin;
    final Outputs outputs;

    @TempDir
    Path folder;

    final String applicationId;
    private int starts;

    ChangedWorld(EmbeddedBroker broker, String applicationId) {
        this.broker = broker;
        servers = broker.bootstrapServers();
        this.applicationId = applicationId;
        admin = Admin.create(Map.<String, Object>of("bootstrap.servers", servers));
        outputs = new Outputs(servers);
    }

    @BeforeEach
    void createTopics() throws Exception {
        for (String topic : Outputs.WITH_INPUT) {
            create(topic);
        }
    }

    void closeClients() {
        outputs.close();
        admin.close();
    }

    /** With a state folder of its own each time: a service that could not stop at once still holds the last. */
    NeardupConfig config(String... more) {
        List<String> pairs = new ArrayList<>(List.of(
                "bootstrap.servers=" + servers,
                "state.dir=" + folder.resolve("state-" + starts++),
                "application.id=" + applicationId,
                "replication.factor=1"));
        pairs.addAll(List.of(more));
        return NeardupConfig.forCluster(new Settings().pairs(pairs));
    }

    void create(String topic) throws Exception {
        Records.createTopic(servers, topic, PARTITIONS);
    }

    void delete(String topic) throws Exception {
        admin.deleteTopics(List.of(topic)).all().get();
        await("no " + topic)
                .atMost(PATIENCE)
                .until(() -> !admin.listTopics().names().get().contains(topic));
    }

    void grow(String topic) throws Exception {
        admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(PARTITIONS + 1)))
                .all()
                .get();
    }

    void deleteRecords(String topic, long beforeOffset) throws Exception {
        admin.deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(beforeOffset)))
                .all()
                .get();
    }

    void deleteAllRecords(String topic) throws Exception {
        Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
        for (int p = 0; p < PARTITIONS; p++) {
            all.put(new TopicPartition(topic, p), RecordsToDelete.beforeOffset(-1));
        }
        admin.deleteRecords(all).all().get();
    }

    void feed(List<News> news) throws Exception {
        try (Feeder feeder = new Feeder(servers, "documents", PARTITIONS)) {
            feeder.feed(news);
        }
    }

    /** An index that has seen the first half, and rests. */
    void makeIndex() throws Exception {
        try (DedupService service = DedupService.start(config())) {
            feed(FIRST);
            outputs.await(FIRST.size(), PATIENCE);
            assertThat(service.ended()).isNotDone();
        }
    }

    void assertRefused(String message, String... more) {
        assertThatThrownBy(() -> DedupService.start(config(more)))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining(message)
                .satisfies(
                        e -> assertThat(String.valueOf(e.getMessage()).lines()).hasSize(1));
    }

    static void assertStops(DedupService service, String message) {
        assertThat(service.ended())
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(StartupException.class)
                .withMessageContaining(message);
    }

    /** Starts once more, and checks that all of both halves came out once. */
    void assertAllComesOut() throws Exception {
        assertAllComesOut(config());
    }

    void assertAllComesOut(NeardupConfig config) throws Exception {
        try (DedupService service = DedupService.start(config)) {
            outputs.await(NEWS.size(), PATIENCE);
            outputs.drain(Duration.ofMillis(500));
            assertThat(service.ended()).isNotDone();
            new Promises(NEWS, outputs).check(PARTITIONS);
        }
    }
}
