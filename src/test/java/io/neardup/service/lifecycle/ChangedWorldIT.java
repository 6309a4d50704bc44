package io.neardup.service.lifecycle;

import static io.neardup.testing.World.awaitFailure;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.neardup.testing.JavaCommand;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.World;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody changes what is around the service: it says so and stops, and loses nothing that is not lost already. */
@Tag("slow")
class ChangedWorldIT {
    private static final List<News> NEWS = NewsFeed.generate(400, 11);
    private static final List<News> FIRST = NEWS.subList(0, 200);
    private static final List<News> SECOND = NEWS.subList(200, 400);

    /** A broker each: where topics are deleted under it, a service may still work on its end. */
    @RegisterExtension
    final World world = new World();

    @BeforeEach
    void createTopics() throws Exception {
        world.createTopics(2);
    }

    /** An index that has seen the first half, and rests. */
    private void makeIndex() throws Exception {
        world.runWith(FIRST, world.configElsewhere());
    }

    /** Starts once more, and checks that all of both halves came out once. */
    private void requireAllToComeOut() throws Exception {
        world.runUntil(NEWS.size(), world.configElsewhere());
        world.requirePromises(NEWS);
    }

    private void requireRefused(String message) {
        world.requireRefused(world.configElsewhere(), own(message));
    }

    private String own(String topic) {
        return topic.replace("APP", world.applicationId());
    }

    // ---- while it rests

    @Test
    void shouldRefuseAChangelogThatHasGrown() throws Exception {
        makeIndex();
        world.grow(own("APP-originals-changelog"), 3);
        requireRefused("topic APP-originals-changelog: expected 2 partitions");
    }

    @ParameterizedTest
    @ValueSource(strings = {"APP-lookups", "APP-replies"})
    void shouldDoWithoutMessagesThatAreGone(String topic) throws Exception {
        makeIndex();
        world.deleteTopic(own(topic));
        world.feed(SECOND);
        requireAllToComeOut();
    }

    @ParameterizedTest
    @ValueSource(strings = {"APP-progress-changelog", "APP-originals-changelog", "APP-buckets-changelog"})
    void shouldRefuseAMissingChangelog(String topic) throws Exception {
        makeIndex();
        world.deleteTopic(own(topic));
        requireRefused("topic " + topic + ": expected a part of the index of application.id APP, found none");
    }

    @Test
    void shouldRefuseAChangelogMadeAgain() throws Exception {
        makeIndex();
        world.deleteTopic(own("APP-originals-changelog"));
        world.createTopic(own("APP-originals-changelog"));
        requireRefused("topic APP-originals-changelog: expected a part of the index of application.id APP, found"
                + " another topic made under its name");
    }

    @ParameterizedTest
    @CsvSource({"APP-originals-changelog", "APP-settings"})
    void shouldRefuseAnIndexWithoutItsBeginning(String topic) throws Exception {
        makeIndex();
        world.cluster().change(own(topic), Map.of("cleanup.policy", "delete"));
        world.deleteRecords(own(topic), 1);
        requireRefused("topic " + topic + ", partition 0: expected all that the index of application.id APP wrote");
    }

    @Test
    void shouldRefuseAStateFolderThatIsInUseOrNoFolder() throws Exception {
        DedupService service = world.start();
        world.requireRefused(
                world.config(), "found one that another process uses; stop that one, or give each instance");
        world.stop(service);
        Path file = Files.writeString(world.folder().resolve("file"), "");
        world.requireRefused(world.config("state.dir=" + file), "found that it cannot (");
    }

    @Test
    void shouldRefuseAStateFolderThatCannotBeWritten() throws Exception {
        Path state = Files.createDirectory(world.folder().resolve("immutable"));
        assumeTrue(JavaCommand.succeeds("chattr", "+i", state.toString()), "no way to forbid root to write");
        try {
            world.requireRefused(world.config("state.dir=" + state), "found that it cannot (");
        } finally {
            JavaCommand.succeeds("chattr", "-i", state.toString());
        }
    }

    // ---- while it runs

    @ParameterizedTest
    @ValueSource(strings = {"APP-lookups", "APP-replies", "APP-originals-changelog", "documents", "dead-letter"})
    void shouldStopWhenATopicIsDeleted(String topic) throws Exception {
        DedupService service = world.start();
        world.feed(FIRST);
        world.awaitOutputs(FIRST.size());
        world.deleteTopic(own(topic));
        awaitFailure(service, "topic " + own(topic) + ": expected the one that the service started with, found none");
    }

    @Test
    void shouldLoseNothingWhenMessagesAreDeletedInFlight() throws Exception {
        DedupService service = world.startElsewhere();
        world.feed(FIRST);
        world.awaitOutputs(1);
        world.deleteTopic(own("APP-lookups"));
        world.feed(SECOND);
        awaitFailure(service, own("topic APP-lookups"));
        requireAllToComeOut();
    }

    @Test
    void shouldStopWhenTheInputIsMadeAgain() throws Exception {
        DedupService service = world.startElsewhere();
        world.feed(FIRST);
        world.awaitOutputs(FIRST.size());
        world.deleteTopic(World.DOCUMENTS);
        world.createTopic(World.DOCUMENTS);
        awaitFailure(service, "topic documents: expected the one that the service started with, found");
        world.feed(SECOND);
        world.runUntil(NEWS.size(), world.configElsewhere().skippingDeletedInput());
        world.requirePromises(NEWS);
    }
}
