package io.neardup.service.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.record.Story;
import io.neardup.service.http.TopStories.Line;
import io.neardup.service.http.TopStories.Lists;
import io.neardup.testing.Records;
import io.neardup.testing.World;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the page is told of a topic that many instances write. */
class TopStoriesIT {
    private static final String TOPIC = "stories";

    @RegisterExtension
    static final World WORLD = new World();

    private final long nowMillis = System.currentTimeMillis();

    private ProducerRecord<byte[], byte[]> record(String place, long hoursAgo, byte @Nullable [] value) {
        long millis = nowMillis - TimeUnit.HOURS.toMillis(hoursAgo);
        return new ProducerRecord<>(TOPIC, 0, millis, place.getBytes(UTF_8), value);
    }

    private ProducerRecord<byte[], byte[]> revision(String id, long hoursAgo, long revision, long publishers) {
        Story story = TopStoriesTest.story(id, revision, publishers, publishers, false);
        return record(story.story(), hoursAgo, story.encode());
    }

    private static List<String> ids(List<Line> lines) {
        return lines.stream().map(Line::id).toList();
    }

    @Test
    void shouldTellTheLatestOfADayAndGoOn() throws Exception {
        Records.createTopic(WORLD.servers(), TOPIC, 1);
        WORLD.send(List.of(
                revision("older", 30, 9, 99),
                revision("gone", 3, 1, 50),
                revision("of-day", 2, 3, 20),
                revision("of-hour", 0, 1, 2),
                record("in-0-gone", 0, null),
                record("in-0-strange", 0, "no story".getBytes(UTF_8))));
        try (TopStories stories = new TopStories(WORLD.config())) {
            await().atMost(World.PATIENCE)
                    .untilAsserted(() -> assertThat(ids(stories.lists().day())).containsExactly("of-day", "of-hour"));
            Lists lists = stories.lists();
            assertThat(ids(lists.hour())).containsExactly("of-hour");
            assertThat(lists.since()).isBetween(1L, nowMillis - TimeUnit.HOURS.toMillis(23));
            assertThat(stories.find("in-0-of-day").orElseThrow().publishers()).isEqualTo(20);
            assertThat(stories.find("in-0-gone")).isEmpty();

            WORLD.send(List.of(revision("of-day", 0, 4, 21)));

            await().atMost(World.PATIENCE)
                    .untilAsserted(() -> assertThat(stories.lists().hour())
                            .first()
                            .matches(line -> line.id().equals("of-day") && line.growing() && line.publishers() == 21));
        }
    }

    /** It says since when it has read, where there was more. */
    @Test
    void shouldReadNoMoreThanTheLastRevisions() throws Exception {
        Records.createTopic(WORLD.servers(), TOPIC, 1);
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        records.add(revision("first", 20, 1, 99));
        IntStream.range(0, TopStories.RECORDS_BACK + 5).forEach(number -> records.add(record("in-0-gone", 10, null)));
        records.add(revision("last", 0, 1, 2));
        WORLD.send(records);
        try (TopStories stories = new TopStories(WORLD.config())) {
            await().atMost(World.PATIENCE)
                    .untilAsserted(() -> assertThat(ids(stories.lists().day())).containsExactly("last"));
            assertThat(stories.lists().since()).isEqualTo(nowMillis - TimeUnit.HOURS.toMillis(10));
        }
    }
}
