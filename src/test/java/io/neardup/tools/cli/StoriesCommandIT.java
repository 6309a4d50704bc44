package io.neardup.tools.cli;

import static io.neardup.testing.World.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.record.Story;
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
        send("documents-0-1", story("documents-0-1", "small", 1, 1));
        send("documents-0-2", story("documents-0-2", "wide", 3, 3));
        send("documents-0-3", story("documents-0-3", "gone", 90, 9));
        send("documents-0-4", story("documents-0-4", "copied by one", 80, 1));
        send("documents-0-2", story("documents-0-2", "wide", 12, 4));
        send("documents-0-3", null);
    }

    private static byte[] story(String place, String id, long copies, long publishers) {
        return new Story(
                        place,
                        id,
                        copies,
                        0,
                        1_000,
                        copies,
                        publishers,
                        true,
                        List.of(),
                        new Story.Representative(id, place, "a", 0, 1, "first"),
                        List.of(),
                        new Story.Similarities(1, 1),
                        false)
                .encode();
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

            copies 12, publishers 4: wide (documents-0-2)
            copies 80, publishers 1: copied by one (documents-0-4)
            """);

        JsonNode json = json(arguments("stories", "--json", "--top", "1"));
        assertThat(json.path("count").asInt()).isEqualTo(3);
        assertThat(json.path("stories"))
                .singleElement()
                .satisfies(story -> assertThat(story.path("story").asText()).isEqualTo("documents-0-2"));
    }

    @Test
    void shouldGoOnWithWhatGrowsUntilItIsStopped() throws Exception {
        Thread command = new Thread(() -> execute(arguments("stories", "--follow")));
        command.start();
        await().atMost(PATIENCE).until(() -> out.toString().contains("copied by one"));
        send("documents-0-1", story("documents-0-1", "small", 6, 2));
        send("documents-0-5", story("documents-0-5", "new", 1, 1));
        await().atMost(PATIENCE).until(() -> out.toString().contains("new (documents-0-5)"));
        command.interrupt();
        command.join();

        assertThat(out.toString())
                .contains(
                        "copies 6, publishers 2: small (documents-0-1)", "copies 1, publishers 1: new (documents-0-5)");
    }
}
