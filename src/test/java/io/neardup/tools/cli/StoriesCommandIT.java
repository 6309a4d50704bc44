package io.neardup.tools.cli;

import static io.neardup.testing.World.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.record.Story;
import io.neardup.service.http.TopStoriesTest;
import io.neardup.testing.Records;
import io.neardup.testing.World;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StoriesCommandIT extends CommandTest {
    @RegisterExtension
    private static final World WORLD = new World();

    @BeforeEach
    void write() throws Exception {
        Records.createTopic(WORLD.servers(), "stories", 1, Map.of("cleanup.policy", "compact"));
        send("small", 1, 1);
        send("wide", 3, 3);
        send("gone", 90, 9);
        send("copied by one", 80, 1);
        send("wide", 12, 4);
        send("in-0-gone", null);
    }

    private static void send(String id, long copies, long publishers) throws Exception {
        Story story = TopStoriesTest.story(id, copies, copies, publishers, false);
        send(story.story(), story.encode());
    }

    private static void send(String place, byte @Nullable [] story) throws Exception {
        WORLD.send(List.of(new ProducerRecord<>("stories", place.getBytes(UTF_8), story)));
    }

    private static String[] arguments(String... more) {
        return withSettings(List.of("bootstrap.servers=" + WORLD.servers()), more);
    }

    @Test
    void shouldShowTheLastStateOfThoseWithTheMostPublishers() throws Exception {
        assertThat(printed(arguments("stories", "--top", "2"))).isEqualTo("""
            stories  3

            copies 12, publishers 4: wide (in-0-wide)
            copies 80, publishers 1: copied by one (in-0-copied by one)
            """);

        JsonNode json = json(arguments("stories", "--json", "--top", "1"));
        assertThat(json.path("count").asInt()).isEqualTo(3);
        assertThat(json.path("stories"))
                .singleElement()
                .satisfies(story -> assertThat(story.path("story").asText()).isEqualTo("in-0-wide"));
    }

    @Test
    void shouldGoOnWithWhatGrowsUntilItIsStopped() throws Exception {
        Thread command = new Thread(() -> execute(arguments("stories", "--follow")));
        command.start();
        await().atMost(PATIENCE).until(() -> out.toString().contains("copied by one"));
        send("small", 6, 2);
        send("new", 1, 1);
        await().atMost(PATIENCE).until(() -> out.toString().contains("new (in-0-new)"));
        command.interrupt();
        command.join();

        assertThat(out.toString())
                .contains("copies 6, publishers 2: small (in-0-small)", "copies 1, publishers 1: new (in-0-new)");
    }
}
