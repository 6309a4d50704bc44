package io.neardup.service.lifecycle;

import static io.neardup.testing.World.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.engine.protocol.MigrationSource.Handover;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.Cutover.CutoverStage;
import io.neardup.testing.Feeder;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An index hands its input over: what leaves of it, and what it leaves. */
class HandOverIT {
    private static final int PARTITIONS = 3;
    /** The last partition has no records. */
    private static final int FED = 2;

    private static final List<News> NEWS = NewsFeed.generate(600, 5);

    @RegisterExtension
    static final World WORLD = new World();

    private static void feed(int partitions, List<News> news) throws Exception {
        try (Feeder feeder = new Feeder(WORLD.servers(), World.DOCUMENTS, partitions)) {
            feeder.feed(news);
        }
    }

    private static Cutover cutover() {
        try (ClusterView cluster = new ClusterView(WORLD.config())) {
            return cluster.cutover();
        }
    }

    private static Cutover ask(String successor) {
        return World.askToHandOver(WORLD.config(), successor);
    }

    /** The keys of all records before the positions that were fixed. */
    private static Set<String> leftToLeave(Map<Integer, Map<String, Long>> positions) {
        Set<String> keys = new TreeSet<>();
        try (KafkaConsumer<byte[], byte[]> consumer = Records.committed(WORLD.servers())) {
            for (int p = 0; p < FED; p++) {
                TopicPartition partition = new TopicPartition(World.DOCUMENTS, p);
                long fixed = Objects.requireNonNull(
                        Objects.requireNonNull(positions.get(p)).get(World.DOCUMENTS));
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

    /** Requires what lay before where it stopped on the outputs, each once, and nothing else. */
    private static void requireReleased(Cutover done) {
        assertThat(done.stage()).isEqualTo(CutoverStage.EMPTY);
        Set<String> expected = leftToLeave(done.positions());
        WORLD.awaitOutputs(expected.size());
        assertThat(keys()).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static List<String> keys() {
        WORLD.outputs().drain(Duration.ofSeconds(1));
        return Outputs.ALL.stream()
                .flatMap(topic -> WORLD.outputs().of(topic).stream())
                .map(HandOverIT::key)
                .toList();
    }

    @Test
    void shouldReleaseWhatLiesBeforeWhereItStoppedAndNothingElse() throws Exception {
        WORLD.createTopics(PARTITIONS);
        InstanceProcess first = WORLD.startProcess("first");
        feed(FED, NEWS.subList(0, 300));
        WORLD.awaitOutputs(100);
        Cutover asked = ask("new");
        assertThat(ask("other").successor()).as("the first who asks, for good").hasValue("new");
        assertThat(ask("new").request()).isEqualTo(asked.request());
        feed(FED, NEWS.subList(300, 450));
        // The one that has nothing to read.
        await().atMost(PATIENCE).until(() -> !cutover().empty().isEmpty());
        WORLD.kill(first);
        feed(FED, NEWS.subList(450, NEWS.size()));

        InstanceProcess again = WORLD.startProcess("again");

        // The first may have been faster than its end: then this one is refused.
        String last = again.awaitEnd(PATIENCE) == 0
                ? "handed over: all that was taken has left, and successor=new goes on"
                : "handed it over to application.id new on ";
        assertThat(again.log()).contains(last);
        Cutover done = cutover();
        requireReleased(done);
        assertThat(done.positions().get(PARTITIONS - 1)).isEqualTo(Map.of(World.DOCUMENTS, Handover.NOTHING_TAKEN));
        assertThat(WORLD.outputs().size()).isLessThan(NEWS.size());
        WORLD.requireRefused(WORLD.config(), "handed it over to application.id new on ");
    }

    @Test
    void shouldGoOnWithItsPartitionsWhereTheInputGrows() throws Exception {
        WORLD.createTopics(PARTITIONS);
        DedupService service = WORLD.start();
        feed(PARTITIONS, NEWS.subList(0, 60));
        WORLD.awaitOutputs(60);
        WORLD.grow(World.DOCUMENTS, PARTITIONS + 2);
        World.awaitNote(service, "has 5 partitions");
        try (Feeder beyond = new Feeder(WORLD.servers(), World.DOCUMENTS, PARTITIONS + 2)) {
            beyond.feed(NEWS.get(599), PARTITIONS + 1);
        }
        feed(PARTITIONS, NEWS.subList(60, 120));
        WORLD.awaitOutputs(120);
        WORLD.stop(service);

        DedupService again = WORLD.start();

        feed(PARTITIONS, NEWS.subList(120, 180));
        WORLD.awaitOutputs(180);
        assertThat(keys()).hasSize(180).doesNotContain(NEWS.get(599).id());
        World.awaitNote(again, "has 5 partitions");
        World.awaitReady(again);
    }
}
