package io.neardup.service.http;

import static io.neardup.testing.World.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.record.Story;
import io.neardup.service.http.TopStories.Line;
import io.neardup.service.http.TopStories.StoryWindow;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.eclipse.jetty.http.HttpURI;
import org.junit.jupiter.api.Test;

public class TopStoriesTest {
    private static final long MINUTE = 60_000;
    private static final long NOW = 1_000 * TopStories.DAY_MILLIS;

    private final StoryWindow window = new StoryWindow();

    /** One with more sources than are kept. */
    public static Story story(String id, long revision, long copies, long publishers, boolean ended) {
        List<Story.Source> sources = IntStream.range(0, 150)
                .mapToObj(number -> new Story.Source("s" + number, "p", 1, 5))
                .toList();
        Story.Representative representative = new Story.Representative(id, "in-0-" + id, "s0", 5, 100, "first");
        return new Story(
                "in-0-" + id,
                id,
                revision,
                5,
                9,
                copies,
                publishers,
                true,
                sources,
                representative,
                List.of("copy"),
                new Story.Similarities(0.7, 0.9),
                ended);
    }

    private void take(String id, long revision, long copies, long publishers, long millis) {
        window.take(story(id, revision, copies, publishers, false), millis);
    }

    private List<String> ids(long withinMillis) {
        return window.most(NOW, withinMillis, 10).stream().map(Line::id).toList();
    }

    @Test
    void shouldListThoseOfATimeWithTheMostPublishersFirst() {
        take("1", 4, 50, 9, NOW - 2 * TopStories.HOUR_MILLIS);
        take("2", 1, 1, 2, NOW - MINUTE);
        take("3", 7, 80, 3, NOW - 30 * MINUTE);
        take("4", 7, 80, 30, NOW - 25 * TopStories.HOUR_MILLIS);

        assertThat(ids(TopStories.HOUR_MILLIS)).containsExactly("3", "2");
        assertThat(ids(TopStories.DAY_MILLIS)).containsExactly("1", "3", "2");
        assertThat(window.most(NOW, TopStories.DAY_MILLIS, 1)).hasSize(1);
    }

    /** Another copy of a publisher that has carried it is no growth. */
    @Test
    void shouldMarkAStoryThatOneMorePublisherCarriedLately() {
        take("1", 7, 80, 5, NOW - 30 * MINUTE);
        take("2", 1, 1, 2, NOW - 30 * MINUTE);
        take("3", 7, 80, 4, NOW - 30 * MINUTE);
        take("4", 1, 1, 1, NOW - MINUTE);
        take("1", 8, 81, 6, NOW - MINUTE);
        take("3", 8, 90, 4, NOW - MINUTE);

        assertThat(window.most(NOW, TopStories.HOUR_MILLIS, 10))
                .filteredOn(Line::growing)
                .extracting(Line::id)
                .containsExactly("1", "4");
    }

    /** Which can be weeks after its last copy. */
    @Test
    void shouldNotTakeTheEndOfAStoryForNews() {
        window.take(story("1", 9, 80, 50, true), NOW);
        take("2", 3, 5, 4, NOW - 2 * TopStories.HOUR_MILLIS);
        window.take(story("2", 4, 5, 4, true), NOW);

        assertThat(ids(TopStories.HOUR_MILLIS)).isEmpty();
        assertThat(window.most(NOW, TopStories.DAY_MILLIS, 10)).singleElement().matches(Line::ended);
    }

    @Test
    void shouldKeepThoseThatAreListedHoweverManyCome() {
        take("old", 9, 1_000, 99, NOW - 5 * TopStories.HOUR_MILLIS);
        take("new", 9, 1_000, 9, NOW - MINUTE);
        for (int i = 0; i < 3 * StoryWindow.STORIES_MAX; i++) {
            take("" + i, 1, 1, 2, NOW - 30 * MINUTE);
        }

        assertThat(ids(TopStories.DAY_MILLIS)).startsWith("old", "new");
        assertThat(ids(TopStories.HOUR_MILLIS)).startsWith("new");
        assertThat(window.find("in-0-new").orElseThrow().sources()).hasSize(StoryWindow.SOURCES_MAX);
        assertThat(window.most(NOW, TopStories.DAY_MILLIS, Integer.MAX_VALUE))
                .hasSizeLessThanOrEqualTo(StoryWindow.STORIES_MAX);
    }

    // ---- how they are read, and asked for

    /** One that fails as no client of Kafka does. */
    private static final class Failing extends OnDemandReader {
        private final CountDownLatch forgotten = new CountDownLatch(1);

        Failing() {
            super(
                    NeardupConfig.of(new Settings().pairs(List.of("bootstrap.servers=127.0.0.1:1"))),
                    new Subject("things", "topic things", 1, 1));
        }

        @Override
        void begin(KafkaConsumer<byte[], byte[]> consumer) {
            throw new ArithmeticException("/ by zero");
        }

        @Override
        void take(ConsumerRecord<byte[], byte[]> record) {}

        @Override
        void endSecond(KafkaConsumer<byte[], byte[]> consumer) {}

        @Override
        void forget() {
            forgotten.countDown();
        }
    }

    @Test
    void shouldSayWhyThereIsNothingWhateverFailed() throws InterruptedException {
        try (Failing failing = new Failing()) {
            failing.ask();
            assertThat(failing.forgotten.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();

            await().atMost(PATIENCE).untilAsserted(() -> assertThat(failing.problem())
                    .startsWith("topic things: expected to READ")
                    .contains("/ by zero"));
        }
    }

    @Test
    void shouldRefuseATopicThatIsNotThere() {
        try (MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("latest")) {
            consumer.updatePartitions("stories", List.of());

            assertThatThrownBy(() -> OnDemandReader.partitions(consumer, "stories"))
                    .isInstanceOf(UnknownTopicOrPartitionException.class)
                    .hasMessage("no topic stories");
        }
    }

    /** A topic that was made anew has a number behind #, which a server leaves encoded. */
    @Test
    void shouldFindThePlaceOfAStoryInAPath() {
        String path =
                HttpURI.from("http://localhost/api/stories/documents%231-0-17").getCanonicalPath();

        assertThat(StoriesEndpoint.place(path)).isEqualTo("documents#1-0-17");
    }
}
