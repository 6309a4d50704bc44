package io.neardup.topology;

import static io.neardup.topology.TopologyHarness.ANYTHING;
import static io.neardup.topology.TopologyHarness.bytes;
import static io.neardup.topology.TopologyHarness.record;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.record.Story;
import io.neardup.streams.topology.OutputLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Originals with what repeats them, from documents to the topic of stories. */
class StoryTopologyTest extends TopologyTests {
    private static final String[] STORIES = {"neardup.outputs=records,verdicts,stories", "neardup.source=/source"};
    private static final String FIRE = "A fire in the harbour destroyed two warehouses on Tuesday night.";
    private static final String BRIDGE = "The council has decided to build a new bridge over the river.";
    private static final Duration EVERY = Duration.ofSeconds(10);
    private static final Duration DAY = Duration.ofDays(1);

    private static void document(TopologyHarness running, String id, String source, String text) {
        running.arrive(record(id, "{\"id\":\"%s\",\"source\":\"%s\",\"text\":\"%s\"}".formatted(id, source, text)));
    }

    private static Story story(TestRecord<byte[], byte[]> record) {
        try {
            Story story = Story.decode(record.value());
            assertThat(new String(record.key(), UTF_8)).isEqualTo(story.story());
            return story;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<Story> revisions(TopologyHarness running) {
        return running.stories().stream().map(StoryTopologyTest::story).toList();
    }

    @Test
    void shouldWriteAtMostOneRevisionInAnIntervalAndTheLastStateAtItsEnd() {
        TopologyHarness running = start(STORIES);
        document(running, "a", "one.com", FIRE);
        document(running, "b", "one.com", FIRE);
        assertThat(revisions(running)).extracting(Story::copies).containsExactly(1L);

        for (int i = 0; i < 50; i++) {
            document(running, "c" + i, "one.com", FIRE);
        }
        assertThat(running.stories()).isEmpty();
        running.advance(EVERY);
        assertThat(revisions(running))
                .extracting(story -> story.revision() + ": " + story.copies())
                .containsExactly("2: 51");

        // Nothing is due any more, so nothing is done.
        running.changes();
        running.advance(EVERY);
        running.advance(EVERY);
        assertThat(running.stories()).isEmpty();
        assertThat(running.changes()).isZero();
        running.advance(EVERY);
        document(running, "d", "one.com", FIRE);
        assertThat(revisions(running)).extracting(Story::copies).containsExactly(52L);
    }

    @Test
    void shouldMarkAStoryWhoseOriginalIsTakenBackAndForgetItADayLater() {
        TopologyHarness running = start(STORIES);
        document(running, "a", "one.com", FIRE);
        document(running, "b", "one.com", FIRE);
        document(running, "lonely", "one.com", BRIDGE);
        running.advance(EVERY);
        running.stories();

        running.pipe(record("a", null));
        running.arrive(record("lonely", null));
        assertThat(revisions(running)).singleElement().satisfies(story -> {
            assertThat(story.ended()).isTrue();
            assertThat(story.revision()).isEqualTo(2);
            assertThat(story.copies()).isEqualTo(1);
        });
        running.advance(DAY.minus(EVERY));
        assertThat(running.stories()).isEmpty();

        running.advance(Duration.ofMinutes(20));
        assertThat(running.stories()).singleElement().satisfies(tombstone -> {
            assertThat(tombstone.key()).isEqualTo(bytes("documents-0-0"));
            assertThat(tombstone.value()).isNull();
        });
        KeyValueStore<?, ?> rows =
                (KeyValueStore<?, ?>) Objects.requireNonNull(running.stores().get("stories"));
        try (var left = rows.all()) {
            assertThat(left).toIterable().as("how far events were folded").hasSize(1);
        }
        document(running, "again", "one.com", FIRE);
        document(running, "again/2", "one.com", FIRE);
        assertThat(revisions(running)).singleElement().satisfies(story -> assertThat(story.id())
                .isEqualTo("again"));
    }

    @Test
    void shouldLeaveOutADuplicateThatItsOutputRefuses() {
        OutputLimits little = new OutputLimits(500, Long.MAX_VALUE, Long.MAX_VALUE, false);
        TopologyHarness running = start(little, ANYTHING, STORIES);
        document(running, "a", "one.com", FIRE);
        document(running, "b", "one.com", FIRE + " ".repeat(500));
        assertThat(running.deadLetters()).hasSize(1);
        running.advance(EVERY);
        assertThat(running.stories()).isEmpty();
    }

    @Test
    void shouldGoOnWithTheStoriesOfAPredecessor() {
        TopologyHarness before = start(with(STORIES, "application.id=before", "neardup.similarity.threshold=0.6"));
        document(before, "a", "one.com", FIRE);
        document(before, "b", "two.org", FIRE);
        document(before, "lonely", "two.org", BRIDGE);
        TopologyHarness after = start(with(STORIES, "neardup.successor.of=before", "neardup.shingle=word:2"));
        after.migrate("before", before.originals());
        after.migrateStories("before", before.storyRows());
        assertThat(after.storyEvents()).isNotEmpty().allSatisfy(row -> assertThat(row.timestamp())
                .isPositive());
        document(before, "c", "", FIRE);
        after.migrate("before", before.originals());
        after.migrateStories("before", before.storyRows());
        after.advance(EVERY);
        assertThat(after.stories())
                .as("as long as the predecessor keeps its input")
                .isEmpty();

        after.endMigration("before", Map.of());
        after.noteTakenOver("before");
        after.advance(EVERY);
        assertThat(revisions(after)).singleElement().satisfies(story -> {
            assertThat(story.story()).isEqualTo("documents-0-0");
            assertThat(story.copies()).isEqualTo(2);
            assertThat(story.publishers()).isEqualTo(2);
        });
        // Places of the other topic: the input went on there.
        document(after, "d", "three.net", FIRE);
        document(after, "bridge", "three.net", BRIDGE);
        after.advance(EVERY);
        assertThat(revisions(after))
                .extracting(story -> story.story() + ": " + story.copies() + " by " + story.publishers())
                .containsExactlyInAnyOrder("documents-0-0: 3 by 3", "documents-0-2: 1 by 2");
    }

    @ParameterizedTest
    @CsvSource({"'',2", "neardup.seed.topics=old,3", "neardup.successor.of=before,3"})
    void shouldBeTheLastSubTopologySoThatTheTasksOfTheOthersStayWhatTheyAre(String setting, int number) {
        List<String> settings = new ArrayList<>(List.of("neardup.bands.partitions=1"));
        if (!setting.isEmpty()) {
            settings.add(setting);
        }
        String without = describe(settings);
        settings.add("neardup.outputs=records,stories");
        String with = describe(settings);

        assertThat(with).contains("Sub-topology: " + number + "\n    Source: story-events-in");
        for (int i = 0; i < number; i++) {
            String first = "Sub-topology: " + i + "\n    Source: ";
            int from = without.indexOf(first);
            assertThat(with).contains(without.substring(from, without.indexOf('\n', from + first.length())));
        }
        assertThat(without).doesNotContain("story", "stories", "verdicts");
    }
}
