package io.neardup.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.testing.InstanceProcess;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.World;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a start makes of the buckets on the disk is what the changelog says. */
@Tag("slow")
class BucketsOnDiskIT {
    private static final int INDEX_PARTITIONS = 4;
    private static final int BANDS = 20;
    private static final int PART = 4_000;

    @RegisterExtension
    static final World WORLD = new World();

    /** With a standby for each task. */
    @Test
    void shouldKeepWhatTheChangelogSaysWhoeverKeepsIt() throws Exception {
        List<News> news = NewsFeed.generateShort(3 * PART, 1);
        WORLD.createTopics(2);
        InstanceProcess second = start("second");
        awaitRunning(second, 0);
        InstanceProcess first = start("first");
        awaitRunning(first, 0);
        feed(news, 1);
        first.killHard();
        feed(news, 2);
        int loggedBefore = first.log().length();
        InstanceProcess again = start("first");
        awaitRunning(again, loggedBefore);
        feed(news, 3);
        assertThat(again.stop()).isEqualTo(143);
        assertThat(second.stop()).isEqualTo(143);
        assertThat(audit()).isGreaterThan(INDEX_PARTITIONS);
    }

    private static InstanceProcess start(String name) throws IOException {
        return WORLD.closeLater(InstanceProcess.start(
                WORLD.folder().resolve(name),
                List.of("-Dneardup.log.kafka=INFO", "-Dneardup.log.level=DEBUG"),
                WORLD.settings(
                        "num.stream.threads=2", // As a user's service has.
                        "num.standby.replicas=1",
                        "acceptable.recovery.lag=1000000000",
                        "neardup.banding=" + BANDS + "x5")));
    }

    private static void awaitRunning(InstanceProcess instance, int loggedBefore) {
        await("instance runs")
                .atMost(World.PATIENCE)
                .until(() -> instance.log().substring(loggedBefore).contains("state=RUNNING before=REBALANCING"));
    }

    private static void feed(List<News> news, int part) throws Exception {
        WORLD.feed(news.subList((part - 1) * PART, part * PART));
        WORLD.awaitOutputs(part * PART);
    }

    /** Returns how many folders of buckets there are. */
    private static int audit() throws IOException {
        List<Path> all = StateAudit.bucketsFolders(WORLD.folder());
        StateAudit audit = new StateAudit(WORLD.servers(), WORLD.applicationId(), BANDS);
        for (Path buckets : all) {
            audit.checkBuckets(buckets);
        }
        return all.size();
    }
}
