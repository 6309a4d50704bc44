package io.neardup.service.lifecycle;

import static io.neardup.testing.World.PATIENCE;
import static io.neardup.testing.World.awaitNote;
import static io.neardup.testing.World.awaitReady;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.World;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A new index where another has been, as by a slip in application.id. */
class NewIndexIT {
    private static final String NOTE = "is new, and its outputs hold records already";
    private static final List<News> NEWS = NewsFeed.generate(100, 11);

    @RegisterExtension
    static final World WORLD = new World();

    private static DedupService start(String applicationId) {
        // So that it has its name again when it is started again.
        return WORLD.startElsewhere("application.id=" + applicationId, "client.id=" + applicationId);
    }

    private static boolean tells(DedupService service) {
        return service.alerts().stream().anyMatch(note -> note.contains(NOTE));
    }

    /** One that has said nothing when another, started later, has said so, has looked as well. */
    @Test
    void shouldSayThatTheOutputsHoldRecordsOfAnother() throws Exception {
        WORLD.createTopics(2);
        WORLD.feed(NEWS);
        DedupService first = start("first");
        WORLD.awaitOutputs(NEWS.size());

        DedupService slip = start("slip");
        awaitNote(slip, NOTE);
        assertThat(slip.alerts())
                .singleElement()
                .asString()
                .startsWith("application.id slip " + NOTE + ", topics [duplicate-of, unique]: ");
        assertThat(tells(first)).isFalse();
        WORLD.stop(slip);
        // It has the name of the one that made the index.
        DedupService restarted = start("slip");
        awaitReady(restarted);
        assertThat(tells(restarted)).isFalse();
        WORLD.stop(restarted);

        WORLD.outputs().readToEnd(WORLD.admin(), PATIENCE);
        int before = WORLD.outputs().size();
        for (String topic : Outputs.ALL) {
            WORLD.deleteAllRecords(topic);
        }
        DedupService emptied = start("emptied");
        WORLD.awaitOutputs(before + 1);
        DedupService last = start("last");
        awaitNote(last, NOTE);
        assertThat(tells(emptied)).isFalse();
        assertThat(tells(first)).isFalse();
    }
}
