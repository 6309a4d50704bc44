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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an instance has on disk is used again, however it ended. */
@Tag("slow")
class CommittedStateIT {
    private static final int PARTITIONS = 2;
    private static final int PORTION = 1_500;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern GOING_ON = Pattern.compile("opened originals folder=\\S+ offset=\\d+");

    @TempDir
    private Path folder;

    private final List<News> news = NewsFeed.generate(3 * PORTION, 5);

    private InstanceProcess start(String servers) throws IOException {
        return InstanceProcess.start(
                folder.resolve("instance"),
                List.of(
                        "bootstrap.servers=" + servers,
                        "replication.factor=1",
                        "neardup.originals.memory.bytes=1048576", // So that files are written soon.
                        "neardup.hash.seed=1"));
    }

    private long files() throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve("instance").resolve("state"))) {
            return all.filter(file -> file.toString().contains("/originals/")
                            && file.toString().endsWith(".sst"))
                    .count();
        }
    }

    private static int members(String servers) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            return admin.describeConsumerGroups(List.of("neardup")).all().get().values().stream()
                    .mapToInt(group -> group.members().size())
                    .sum();
        }
    }

    private static long openings(InstanceProcess instance) throws IOException {
        return GOING_ON.matcher(instance.log()).results().count();
    }

    @Test
    void shouldGoOnFromItsOriginalsAfterAKillAndWhenItHasLostItsTasks() throws Exception {
        try (BrokerProcess broker = new BrokerProcess(folder.resolve("broker")).start()) {
            String servers = broker.bootstrapServers();
            Records.createTopics(servers, Outputs.WITH_INPUT, PARTITIONS);
            try (Outputs outputs = new Outputs(servers);
                    Feeder feeder = new Feeder(servers, "documents", PARTITIONS)) {
                try (InstanceProcess killed = start(servers)) {
                    feeder.feed(news.subList(0, PORTION));
                    outputs.await(PORTION - PORTION / 4, PATIENCE);
                    await().atMost(PATIENCE).until(() -> files() >= PARTITIONS);
                    assertThat(openings(killed)).isZero();
                    killed.killHard();
                }
                feeder.feed(news.subList(PORTION, 2 * PORTION));
                try (InstanceProcess next = start(servers)) {
                    outputs.await(2 * PORTION, PATIENCE);
                    assertThat(openings(next)).as(next.log()).isGreaterThanOrEqualTo(PARTITIONS);
                    assertThat(next.log()).doesNotContain("orrupt", "ERROR");

                    // Kafka Streams closes its tasks as after a failure then, and deletes their folders.
                    next.pause();
                    feeder.feed(news.subList(2 * PORTION, news.size()));
                    await().atMost(PATIENCE).until(() -> members(servers) == 0);
                    next.resume();

                    outputs.await(news.size(), PATIENCE);
                    outputs.drain(Duration.ofMillis(500));
                    new Promises(news, outputs).check(PARTITIONS);
                    assertThat(openings(next)).as(next.log()).isGreaterThanOrEqualTo(2 * PARTITIONS);
                    assertThat(next.log()).doesNotContain("from the whole changelog");
                }
            }
        }
    }
}
