package io.neardup.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.testing.BrokerProcess;
import io.neardup.testing.Feeder;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Promises;
import io.neardup.testing.Records;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an instance has on disk is used again, however it ended. */
@Tag("slow")
class CommittedStateIT {
    private static final int PARTITIONS = 2;
    private static final int FIRST = 1_500;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern GOING_ON = Pattern.compile("opened originals folder=\\S+ offset=\\d+");

    @TempDir
    private Path folder;

    private final List<News> news = NewsFeed.generate(3_000, 5);
    private BrokerProcess broker;
    private String servers;

    @BeforeEach
    void startBroker() throws Exception {
        broker = new BrokerProcess(folder.resolve("broker")).start();
        servers = broker.bootstrapServers();
        Records.createTopics(servers, Outputs.WITH_INPUT, PARTITIONS);
    }

    @AfterEach
    void stopBroker() {
        broker.close();
    }

    private InstanceProcess start() throws IOException {
        return InstanceProcess.start(
                folder.resolve("instance"),
                List.of(
                        "bootstrap.servers=" + servers,
                        "replication.factor=1",
                        "neardup.originals.memory.bytes=1048576", // So that files are written soon.
                        "neardup.hash.seed=1"));
    }

    private void feed(List<News> some) throws Exception {
        try (Feeder feeder = new Feeder(servers, "documents", PARTITIONS)) {
            feeder.feed(some);
        }
    }

    /** Feeds half of the news, and waits until some of them have left and some of their originals are in files. */
    private void feedFirst(Outputs outputs) throws Exception {
        feed(news.subList(0, FIRST));
        outputs.await(FIRST - FIRST / 4, PATIENCE);
        await().atMost(PATIENCE).until(() -> files("originals", ".sst") >= PARTITIONS);
    }

    private long files(String under, String ending) throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve("instance").resolve("state"))) {
            return all.filter(file -> file.toString().contains("/" + under + "/")
                            && file.toString().endsWith(ending))
                    .count();
        }
    }

    private int members() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            return admin.describeConsumerGroups(List.of("neardup")).all().get().values().stream()
                    .mapToInt(group -> group.members().size())
                    .sum();
        }
    }

    private void assertAllOut(Outputs outputs) {
        outputs.await(news.size(), PATIENCE);
        outputs.drain(Duration.ofMillis(500));
        new Promises(news, outputs).check(PARTITIONS);
    }

    private static long openings(InstanceProcess instance) throws IOException {
        return GOING_ON.matcher(instance.log()).results().count();
    }

    @Test
    void shouldGoOnFromItsOriginalsAfterAKill() throws Exception {
        try (Outputs outputs = new Outputs(servers)) {
            try (InstanceProcess killed = start()) {
                feedFirst(outputs);
                assertThat(openings(killed)).isZero();
                killed.killHard();
            }
            feed(news.subList(FIRST, news.size()));
            try (InstanceProcess next = start()) {
                assertAllOut(outputs);
                assertThat(openings(next)).as(next.log()).isGreaterThanOrEqualTo(PARTITIONS);
                assertThat(next.log()).doesNotContain("from the whole changelog", "orrupt", "ERROR");
            }
        }
    }

    /** Kafka Streams closes its tasks as after a failure then, and deletes their folders. */
    @Test
    void shouldGoOnFromItsOriginalsWhenItHasLostItsTasks() throws Exception {
        try (Outputs outputs = new Outputs(servers);
                InstanceProcess instance = start()) {
            feedFirst(outputs);
            instance.pause();
            feed(news.subList(FIRST, news.size()));
            await().atMost(PATIENCE).until(() -> members() == 0);
            instance.resume();

            assertAllOut(outputs);

            assertThat(openings(instance)).as(instance.log()).isGreaterThanOrEqualTo(PARTITIONS);
            assertThat(instance.log()).doesNotContain("from the whole changelog");
        }
    }
}
