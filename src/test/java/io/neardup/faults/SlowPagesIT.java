package io.neardup.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.testing.InstanceProcess;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.World;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pages that take the parser of HTML a second or more each, several in each partition, one thread for all. */
@Tag("slow")
class SlowPagesIT {
    private static final int PARTITIONS = 12;
    private static final int QUICK = 1_200;
    private static final int SLOW = 3 * PARTITIONS;
    private static final int QUICK_AFTER = 100;

    @RegisterExtension
    static final World WORLD = new World();

    /** The parser carries formatting elements that nobody closes into whatever follows them. */
    private static News slow(int number) {
        return new News("slow-" + number, "<b>number " + number + "<b>x1".repeat(197_000));
    }

    @Test
    void shouldNotBeFencedForTheTimeThatTheyTake() throws Exception {
        List<News> quick = NewsFeed.generateShort(QUICK + QUICK_AFTER, 1);
        WORLD.createTopics(PARTITIONS);
        WORLD.feed(quick.subList(0, QUICK));
        for (int i = 0; i < SLOW; i++) {
            WORLD.feed(List.of(slow(i)));
        }
        WORLD.feed(quick.subList(QUICK, quick.size()));
        InstanceProcess instance = WORLD.startProcess("instance", "neardup.document.html=true");

        WORLD.outputs().await(quick.size() + SLOW, Duration.ofMinutes(4));
        assertThat(instance.log()).doesNotContain("lost its tasks");
    }
}
