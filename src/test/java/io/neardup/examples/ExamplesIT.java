package io.neardup.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.service.lifecycle.DedupService;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.World;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples do what the guide says of them, over a stop and another start. */
class ExamplesIT {
    @RegisterExtension
    static final World WORLD = new World();

    @Test
    void shouldKeepThePromisesAndGoOnWithWhatIsUnique() throws Exception {
        WORLD.createTopics(2);
        WORLD.createTopic("lengths");
        List<News> news = NewsFeed.generate(400, 5);
        WORLD.stop(startAndFeed(news.subList(0, 200)));

        DedupService again = startAndFeed(news.subList(200, 400));

        List<String> unique = read(WORLD.outputs().of(Outputs.UNIQUE).size());
        assertThat(Records.readCommitted(WORLD.servers(), "lengths", unique.size()))
                .containsExactlyInAnyOrderElementsOf(unique.stream()
                        .map(document -> String.valueOf(document.length()))
                        .toList());
        WORLD.stop(again);
        WORLD.requirePromises(news);
    }

    private static DedupService startAndFeed(List<News> news) throws Exception {
        DedupService application = WORLD.closeLater(NewsApplication.start(
                WORLD.settings("state.dir=" + WORLD.folder().resolve("state"))));
        int before = WORLD.outputs().size();
        WORLD.feed(news);
        WORLD.awaitOutputs(before + news.size());
        return application;
    }

    private static List<String> read(int count) {
        List<String> read = new ArrayList<>();
        try (UniqueReader reader = new UniqueReader(WORLD.servers(), "nlp")) {
            Awaitility.await("unique documents").atMost(World.PATIENCE).until(() -> {
                reader.read((key, document) -> read.add(document));
                return read.size() >= count;
            });
        }
        return read;
    }
}
