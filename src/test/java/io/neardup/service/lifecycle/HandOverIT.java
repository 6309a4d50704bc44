package io.neardup.service.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.engine.protocol.MigrationSource.Handover;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.migration.ClusterView;
import io.neardup.service.migration.CutoverRequest;
import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.Cutover.CutoverStage;
import io.neardup.testing.Feeder;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** An index hands its input over: what leaves of it, and what it leaves. */
class HandOverIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int PARTITIONS = 3;
    /** The last partition has no records. */
    private static final int FED = 2;

    private static final List<News> NEWS = NewsFeed.generate(600, 5);

    @RegisterExtension
    static final SharedBroker BROKER = new SharedBroker();

    private static int tests;

    private final String servers = BROKER.bootstrapServers();
    private final String applicationId = "old-" + tests++;

    @TempDir
    private Path folder;

    @AfterEach
    void deleteTopics() throws Exception {
        BROKER.deleteTopics();
    }

    private List<String> settings() {
        return List.of("bootstrap.servers=" + servers, "application.id=" + applicationId, "replication.factor=1");
    }

    private NeardupConfig config() {
        List<String> pairs = new ArrayList<>(settings());
        pairs.add("state.dir=" + folder.resolve("state"));
        return NeardupConfig.forCluster(new Settings().pairs(pairs));
    }

    private void feed(int partitions, List<News> news) throws Exception {
        try (Feeder feeder = new Feeder(servers, "documents", partitions)) {
            feeder.feed(news);
        }
    }

    private Cutover cutover() {
        try (ClusterView cluster = new ClusterView(config())) {
            return cluster.cutover();
        }
    }

    private Cutover ask(String successor) {
        try (ClusterView cluster = new ClusterView(config())) {
            return new CutoverRequest(applicationId, cluster).ask(successor);
        }
    }

    /** The keys of all records before the positions that were fixed. */
    private Set<String> leftToLeave(Map<Integer, Map<String, Long>> positions) {
        Set<String> keys = new TreeSet<>();
        try (KafkaConsumer<byte[], byte[]> consumer = Records.committed(servers)) {
            for (int p = 0; p < FED; p++) {
                TopicPartition partition = new TopicPartition("documents", p);
                long fixed = Objects.requireNonNull(
                        Objects.requireNonNull(positions.get(p)).get("documents"));
                consumer.assign(List.of(partition));
                consumer.seekToBeginning(List.of(partition));
                while (consumer.position(partition) < fixed) {
                    consumer.poll(Duration.ofMillis(100)).records(partition).stream()
                            .filter(record -> record.offset() < fixed)
                            .forEach(record -> keys.add(key(record)));
                }
            }
        }
        return keys;
    }

    private static String key(ConsumerRecord<byte[], byte[]> record) {
        return new String(record.key(), UTF_8);
    }

    private static List<String> keys(Outputs outputs) {
        return Outputs.ALL.stream()
                .flatMap(topic -> outputs.of(topic).stream())
                .map(HandOverIT::key)
                .toList();
    }

    @Test
    void shouldReleaseWhatLiesBeforeWhereItStoppedAndNothingElse() throws Exception {
        Records.createTopics(servers, Outputs.WITH_INPUT, PARTITIONS);
        try (Outputs outputs = new Outputs(servers)) {
            try (InstanceProcess first = InstanceProcess.start(folder.resolve("first"), settings())) {
                feed(FED, NEWS.subList(0, 300));
                outputs.await(100, PATIENCE);
                ask("new");
                feed(FED, NEWS.subList(300, 450));
                // The one that has nothing to read.
                await().atMost(PATIENCE).until(() -> !cutover().empty().isEmpty());
                first.killHard();
            }
            feed(FED, NEWS.subList(450, NEWS.size()));
            try (InstanceProcess again = InstanceProcess.start(folder.resolve("again"), settings())) {
                // The first may have been faster than its end: then this one is refused.
                String last = again.awaitEnd(PATIENCE) == 0
                        ? "handed over: all that was taken has left, and successor=new goes on"
                        : "handed it over to application.id new on ";
                assertThat(again.log()).contains(last);
            }
            Cutover done = cutover();
            assertThat(done.stage()).isEqualTo(CutoverStage.EMPTY);
            assertThat(done.positions().get(PARTITIONS - 1)).isEqualTo(Map.of("documents", Handover.BEGINNING));
            Set<String> expected = leftToLeave(done.positions());
            assertThat(expected).hasSizeLessThan(NEWS.size());
            outputs.await(expected.size(), PATIENCE);
            outputs.drain(Duration.ofSeconds(1));
            assertThat(keys(outputs)).containsExactlyInAnyOrderElementsOf(expected);
        }
        assertThatThrownBy(() -> DedupService.start(config()))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("handed it over to application.id new on ");
    }

    /** Two operators, each with another successor, one of them twice; and the second instance takes over the work. */
    @Test
    void shouldHeedTheFirstOfManyWhoAskWhileTheWorkMoves() throws Exception {
        Records.createTopics(servers, Outputs.WITH_INPUT, PARTITIONS);
        try (Outputs outputs = new Outputs(servers);
                InstanceProcess first = InstanceProcess.start(folder.resolve("first"), settings());
                InstanceProcess second = InstanceProcess.start(folder.resolve("second"), settings())) {
            feed(FED, NEWS.subList(0, 300));
            outputs.await(100, PATIENCE);
            ask("new");
            first.killHard();
            feed(FED, NEWS.subList(300, 450));
            assertThat(ask("other").successor()).hasValue("new");
            assertThat(ask("new").request()).isEqualTo(cutover().request());

            assertThat(second.awaitEnd(PATIENCE)).as(second.log()).isZero();

            assertThat(cutover().stage()).isEqualTo(CutoverStage.EMPTY);
            Set<String> expected = leftToLeave(cutover().positions());
            outputs.await(expected.size(), PATIENCE);
            outputs.drain(Duration.ofSeconds(1));
            assertThat(keys(outputs)).containsExactlyInAnyOrderElementsOf(expected);
        }
        assertThat(ask("other").successor()).as("for good").hasValue("new");
    }

    @Test
    void shouldGoOnWithItsPartitionsWhereTheInputGrows() throws Exception {
        Records.createTopics(servers, Outputs.WITH_INPUT, PARTITIONS);
        try (Outputs outputs = new Outputs(servers)) {
            try (DedupService service = DedupService.start(config())) {
                feed(PARTITIONS, NEWS.subList(0, 60));
                outputs.await(60, PATIENCE);
                Records.grow(servers, "documents", PARTITIONS + 2);
                await().atMost(PATIENCE)
                        .until(() -> service.alerts().stream().anyMatch(note -> note.contains("has 5 partitions")));
                feedBeyond(NEWS.get(599));
                feed(PARTITIONS, NEWS.subList(60, 120));
                outputs.await(120, PATIENCE);
            }
            try (DedupService service = DedupService.start(config())) {
                feed(PARTITIONS, NEWS.subList(120, 180));
                outputs.await(180, PATIENCE);
                outputs.drain(Duration.ofSeconds(1));
                assertThat(keys(outputs))
                        .hasSize(180)
                        .doesNotContain(NEWS.get(599).id());
                await().atMost(PATIENCE)
                        .until(() -> service.alerts().stream().anyMatch(note -> note.contains("has 5 partitions")));
                await().atMost(PATIENCE).until(() -> service.status().isReady());
            }
        }
    }

    private void feedBeyond(News news) throws Exception {
        try (Feeder feeder = new Feeder(servers, "documents", PARTITIONS + 2)) {
            feeder.feed(news, PARTITIONS + 1);
        }
    }
}
