package io.neardup.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.testing.BrokerProcess;
import io.neardup.testing.Feeder;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages that take the parser of HTML a second or more each, several in each partition, one thread for all. */
@Tag("slow")
class SlowPagesIT {
    private static final int PARTITIONS = 12;
    private static final int QUICK = 1_200;
    private static final int SLOW = 3 * PARTITIONS;
    private static final int QUICK_AFTER = 100;

    @TempDir
    private Path folder;

    /** The parser carries formatting elements that nobody closes into whatever follows them. */
    private static News slow(int number) {
        return new News("slow-" + number, "<b>number " + number + "<b>x1".repeat(197_000));
    }

    @Test
    void shouldNotBeFencedForTheTimeThatTheyTake() throws Exception {
        List<News> quick = NewsFeed.generateShort(QUICK + QUICK_AFTER, 1);
        List<News> news = new ArrayList<>(quick.subList(0, QUICK));
        for (int i = 0; i < SLOW; i++) {
            news.add(slow(i));
        }
        news.addAll(quick.subList(QUICK, quick.size()));
        try (BrokerProcess broker = new BrokerProcess(folder.resolve("broker")).start()) {
            String servers = broker.bootstrapServers();
            Records.createTopics(servers, Outputs.WITH_INPUT, PARTITIONS);
            try (Feeder feeder = new Feeder(servers, Service.DOCUMENTS, PARTITIONS)) {
                feeder.feed(news.subList(0, QUICK));
                for (News one : news.subList(QUICK, news.size())) {
                    feeder.feed(List.of(one));
                }
            }
            try (InstanceProcess instance = InstanceProcess.start(
                            folder.resolve("instance"),
                            List.of(
                                    "bootstrap.servers=" + servers,
                                    "replication.factor=1",
                                    "num.stream.threads=1",
                                    "neardup.document.html=true"));
                    OutputWatch watch = new OutputWatch(servers)) {
                await("documents are out").atMost(Duration.ofMinutes(4)).until(() -> watch.count() >= news.size());
                assertThat(instance.log()).doesNotContain("lost its tasks");
            }
        }
    }
}
