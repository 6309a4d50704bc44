package io.neardup.faults;

import static io.neardup.testing.World.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.streams.store.TopicNames;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.VerdictStories;
import io.neardup.testing.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Stories of services on a broker: what verdicts tell, whatever happens. */
class StoriesIT {
    private static final int DOCUMENTS = 2_000;
    private static final int PARTITIONS = 3;
    private static final String[] SETTINGS = {
        "neardup.outputs=records,verdicts,stories",
        "neardup.stories.every=1s",
        "neardup.source=/source",
        "neardup.bands.partitions=2",
        "acceptable.recovery.lag=1000000000"
    };
    private static final String[] SOURCES = {"www.one.com", "news.one.com", "two.org", "Agency", "agency", ""};

    @RegisterExtension
    static final World WORLD = new World();

    /** Of the story that was lost: copies and revision. */
    private String last = "";

    private static void createTopics() throws Exception {
        WORLD.createTopics(PARTITIONS);
        WORLD.createTopic("verdicts");
        Records.createTopic(WORLD.servers(), "stories", 2, Map.of("cleanup.policy", "compact"));
    }

    private static ProducerRecord<byte[], byte[]> document(News news, int number) {
        String source = SOURCES[Math.floorMod(news.id().hashCode(), SOURCES.length)];
        String json = "{\"id\":\"%s\",\"source\":\"%s\",\"text\":\"%s\"}".formatted(news.id(), source, news.text());
        return new ProducerRecord<>(
                World.DOCUMENTS,
                number % PARTITIONS,
                news.timestamp(),
                news.id().getBytes(UTF_8),
                json.getBytes(UTF_8));
    }

    private static void feed(List<News> news, int from, int to) throws Exception {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int i = from; i < to; i++) {
            records.add(document(news.get(i), i));
        }
        WORLD.send(records);
    }

    private static VerdictStories awaitVerdicts(int count) {
        return VerdictStories.awaitVerdicts(WORLD.servers(), count);
    }

    @Test
    void shouldTellWhatVerdictsTellWhereInstancesAreKilled() throws Exception {
        createTopics();
        List<News> news = NewsFeed.generate(DOCUMENTS, 3);
        InstanceProcess first = WORLD.startProcess("first", SETTINGS);
        InstanceProcess second = WORLD.startProcess("second", SETTINGS);
        feed(news, 0, DOCUMENTS / 3);
        awaitVerdicts(DOCUMENTS / 3);
        feed(news, DOCUMENTS / 3, DOCUMENTS / 2);
        first.killHard();
        feed(news, DOCUMENTS / 2, DOCUMENTS * 2 / 3);
        awaitVerdicts(DOCUMENTS * 2 / 3);
        InstanceProcess again = WORLD.startProcess("first", SETTINGS);
        feed(news, DOCUMENTS * 2 / 3, DOCUMENTS);
        VerdictStories expected = awaitVerdicts(DOCUMENTS);

        assertThat(expected.stories()).hasSizeGreaterThan(100);
        expected.awaitTold(WORLD.servers());
        assertThat(again.isAlive() && second.isAlive()).isTrue();
    }

    @Test
    @SuppressWarnings("try") // What is held up is so until the end of the block.
    void shouldDecideDocumentsWhileStoriesAreBeingRestored() throws Exception {
        createTopics();
        List<News> news = NewsFeed.generate(600, 4);
        DedupService before = WORLD.start(SETTINGS);
        feed(news, 0, 300);
        awaitVerdicts(300);
        await().atMost(PATIENCE).until(() -> before.status().isReady());
        WORLD.stop(before);

        String changelog = new TopicNames(WORLD.applicationId()).storiesChangelog();
        VerdictStories expected;
        try (AutoCloseable unused = WORLD.holdUp(changelog, 0);
                AutoCloseable unusedToo = WORLD.holdUp(changelog, 1)) {
            DedupService after = WORLD.startElsewhere(SETTINGS);
            World.awaitReady(after);
            assertThat(after.status().restoring().partitions()).isPositive();
            WORLD.requireRefused(
                    WORLD.configElsewhere("neardup.bands.partitions=2", "session.timeout.ms=1000"),
                    "neardup.outputs: expected stories, as other instances");
            feed(news, 300, 600);
            expected = awaitVerdicts(600);
            assertThat(after.status().restoring().partitions()).isPositive();
            assertThat(after.status().isReady()).isTrue();
        }
        expected.awaitTold(WORLD.servers());
    }

    @Test
    void shouldBeginStoriesAnewWhereTheirChangelogIsLost() throws Exception {
        createTopics();
        List<News> news = NewsFeed.generate(300, 4);
        DedupService before = WORLD.start(SETTINGS);
        feed(news, 0, 300);
        VerdictStories known = awaitVerdicts(300);
        known.awaitTold(WORLD.servers());
        WORLD.stop(before);
        WORLD.deleteTopic(new TopicNames(WORLD.applicationId()).storiesChangelog());

        WORLD.startElsewhere(SETTINGS);

        JsonNode lost = known.stories().values().stream()
                .filter(story -> story.get("copies").asInt() > 1)
                .findFirst()
                .orElseThrow();
        String id = lost.get("id").asText();
        int number = IntStream.range(0, 300)
                .filter(i -> news.get(i).id().equals(id))
                .findFirst()
                .orElseThrow();
        feed(news, number, number + 1);
        try (Outputs stories = new Outputs(WORLD.servers(), List.of("stories"), record -> {
            if (lost.get("story").asText().equals(new String(record.key(), UTF_8))) {
                last = VerdictStories.comparable(record.value()).get("copies").asInt() + " at "
                        + VerdictStories.revision(record.value());
            }
        })) {
            await("a story of its own").atMost(PATIENCE).pollInSameThread().untilAsserted(() -> {
                stories.drain(Duration.ofMillis(200));
                assertThat(last).isEqualTo("1 at 1");
            });
        }
    }

    @Test
    void shouldRefuseATopicThatIsNotCompacted() throws Exception {
        WORLD.createTopics(1);
        Records.createTopic(WORLD.servers(), "stories", 1);

        WORLD.requireRefused(
                WORLD.config("neardup.outputs=records,stories"),
                "topic stories: expected the cleanup.policy compact",
                "found delete");
    }
}
