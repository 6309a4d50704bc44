package io.neardup.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.testing.BrokerCluster;
import io.neardup.testing.Feeder;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a start makes of the buckets on the disk is what the changelog says. */
@Tag("slow")
class BucketsOnDiskIT {
    private static final int PARTITIONS = 2;
    private static final int INDEX_PARTITIONS = 4;
    private static final int BANDS = 20;
    private static final int PART = 4_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    /** With a standby for each task. */
    @Test
    void shouldKeepWhatTheChangelogSaysWhoeverKeepsIt() throws Exception {
        List<News> news = NewsFeed.generateShort(3 * PART, 1);
        try (BrokerCluster cluster = BrokerCluster.start(folder.resolve("brokers"), 1)) {
            String servers = cluster.bootstrapServers();
            Records.createTopics(servers, Outputs.WITH_INPUT, PARTITIONS);
            try (InstanceProcess second = start(servers, "second");
                    Outputs outputs = new Outputs(servers);
                    Feeder feeder = new Feeder(servers, "documents", PARTITIONS)) {
                awaitRunning(second, 0);
                try (InstanceProcess first = start(servers, "first")) {
                    awaitRunning(first, 0);
                    feed(feeder, outputs, news.subList(0, PART));
                    first.killHard();
                }
                feed(feeder, outputs, news.subList(PART, 2 * PART));
                int loggedBefore = Files.readString(folder.resolve("first").resolve("instance.log"))
                        .length();
                try (InstanceProcess first = start(servers, "first")) {
                    awaitRunning(first, loggedBefore);
                    feed(feeder, outputs, news.subList(2 * PART, 3 * PART));
                    assertThat(first.stop()).isEqualTo(143);
                }
                assertThat(second.stop()).isEqualTo(143);
            }
            assertThat(audit(servers)).isGreaterThan(INDEX_PARTITIONS);
        }
    }

    private InstanceProcess start(String servers, String name) throws Exception {
        return InstanceProcess.start(
                folder.resolve(name),
                List.of("-Dneardup.log.kafka=INFO", "-Dneardup.log.level=DEBUG"),
                List.of(
                        "bootstrap.servers=" + servers,
                        "application.id=standby",
                        "num.standby.replicas=1",
                        "acceptable.recovery.lag=1000000000",
                        "neardup.banding=" + BANDS + "x5"));
    }

    private static void awaitRunning(InstanceProcess instance, int loggedBefore) {
        await("instance runs")
                .atMost(PATIENCE)
                .until(() -> instance.log().substring(loggedBefore).contains("state=RUNNING before=REBALANCING"));
    }

    private static void feed(Feeder feeder, Outputs outputs, List<News> news) throws Exception {
        int before = outputs.size();
        feeder.feed(news);
        outputs.await(before + news.size(), PATIENCE);
    }

    /** Returns how many folders of buckets there are. */
    private int audit(String servers) throws Exception {
        List<Path> all = StateAudit.bucketsFolders(folder);
        StateAudit audit = new StateAudit(servers, "standby", BANDS);
        for (Path buckets : all) {
            audit.checkBuckets(buckets);
        }
        return all.size();
    }
}
