package io.neardup.service.lifecycle;

import static io.neardup.testing.World.PATIENCE;
import static io.neardup.testing.World.awaitRunning;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.World;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An input topic that is added to the settings of one instance after the other. */
class AddedInputIT {
    private static final List<News> NEWS = NewsFeed.generate(200, 11);
    private static final List<News> FIRST = NEWS.subList(0, 100);
    private static final List<News> SECOND = NEWS.subList(100, 200);
    private static final String ADDED = "documents2";
    private static final String BOTH = "neardup.input.topics=documents,documents2";

    @RegisterExtension
    static final World WORLD = new World();

    @BeforeEach
    void createTopics() throws Exception {
        WORLD.createTopics(2);
        WORLD.createTopic(ADDED);
    }

    /** The first instance leads the group, and shares out what it knows of alone. */
    @Test
    void shouldTellAtOneThatHasAnInputTopicAsLongAsNotAllHaveIt() throws Exception {
        DedupService lacking = WORLD.start();
        awaitRunning(lacking);
        DedupService wrong = WORLD.startElsewhere(BOTH);
        awaitNote(wrong);
        WORLD.stop(wrong);

        DedupService added = WORLD.startElsewhere(BOTH);
        WORLD.feed(FIRST);
        WORLD.feed(ADDED, SECOND);
        WORLD.awaitOutputs(FIRST.size());
        awaitNote(added);
        assertThat(WORLD.outputs().size()).isEqualTo(FIRST.size());

        WORLD.stop(lacking);
        requireAllRead(WORLD.start(BOTH), added);
    }

    private static void awaitNote(DedupService added) {
        World.awaitNote(added, "no instance is assigned the input topics [documents2]");
    }

    /** Kafka Streams by itself would share out again without end, and none of the input would be read. */
    @Tag("slow")
    @Test
    void shouldGoOnWithWhatAllReadWhereTheInstanceThatLeadsReadsMore() throws Exception {
        DedupService leader = WORLD.start(BOTH);
        awaitRunning(leader);
        DedupService lacking = WORLD.startElsewhere();
        await("two instances").atMost(PATIENCE).until(() -> WORLD.members() == 2 && lacking.isRunning());
        WORLD.feed(FIRST);
        WORLD.awaitOutputs(FIRST.size());
        WORLD.stop(lacking);

        WORLD.feed(ADDED, SECOND);
        requireAllRead(leader, WORLD.startElsewhere(BOTH));
    }

    /** The tasks of the others would lose the topic while they run, at which Kafka Streams 4.3.1 fails. */
    @Test
    void shouldRefuseToStartWithoutAnInputTopicThatOthersRead() throws Exception {
        DedupService service = WORLD.start(BOTH);
        WORLD.feed(ADDED, SECOND);
        WORLD.awaitOutputs(SECOND.size());

        WORLD.requireRefused(
                // For so long, and 4 s, it waits for one that may have been killed.
                WORLD.configElsewhere("session.timeout.ms=1000"),
                "topic documents2: expected no instance to read it any more before it is taken out of"
                        + " neardup.input.topics, found instances that do; stop all instances first, or put it back");
        WORLD.feed(FIRST);
        WORLD.awaitOutputs(NEWS.size());
        WORLD.stop(service);
        WORLD.startElsewhere().close();
    }

    private static void requireAllRead(DedupService... services) throws Exception {
        WORLD.awaitOutputs(NEWS.size());
        for (DedupService service : services) {
            awaitNoWord(service);
        }
        for (DedupService service : services) {
            WORLD.stop(service);
        }
        WORLD.requirePromises(NEWS);
    }

    private static void awaitNoWord(DedupService service) {
        await("no word of inputs").atMost(PATIENCE).until(() -> service.alerts().stream()
                .noneMatch(note -> note.contains(ADDED)));
    }
}
