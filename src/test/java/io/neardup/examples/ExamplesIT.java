package io.neardup.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.service.lifecycle.DedupService;
import io.neardup.testing.Feeder;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Promises;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The examples do what the guide says of them, over a stop and another start. */
class ExamplesIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int PARTITIONS = 2;

    @RegisterExtension
    private static final SharedBroker BROKER = new SharedBroker();

    @TempDir
    private Path folder;

    private final String servers = BROKER.bootstrapServers();

    @Test
    void shouldKeepThePromisesAndGoOnWithWhatIsUnique() throws Exception {
        List<String> topics =
                Stream.concat(Outputs.WITH_INPUT.stream(), Stream.of("lengths")).toList();
        Records.createTopics(servers, topics, PARTITIONS);
        List<News> news = NewsFeed.generate(400, 5);
        try (Outputs outputs = new Outputs(servers);
                Feeder feeder = new Feeder(servers, "documents", PARTITIONS)) {
            try (DedupService application = start()) {
                feeder.feed(news.subList(0, 200));
                outputs.await(200, PATIENCE);
                assertThat(application.ended()).isNotDone();
            }
            try (DedupService application = start()) {
                feeder.feed(news.subList(200, 400));
                outputs.await(400, PATIENCE);
                assertThat(application.ended()).isNotDone();
                new Promises(news, outputs).check(PARTITIONS);
                List<String> unique = read(outputs.of(Outputs.UNIQUE).size());
                assertThat(Records.readCommitted(servers, "lengths", unique.size()))
                        .containsExactlyInAnyOrderElementsOf(unique.stream()
                                .map(document -> String.valueOf(document.length()))
                                .toList());
            }
        }
    }

    private DedupService start() {
        return NewsApplication.start(List.of(
                "application.id=news", "bootstrap.servers=" + servers, "state.dir=" + folder, "replication.factor=1"));
    }

    private List<String> read(int count) {
        List<String> read = new ArrayList<>();
        try (UniqueReader reader = new UniqueReader(servers, "nlp")) {
            Awaitility.await("unique documents").atMost(PATIENCE).until(() -> {
                reader.read((key, document) -> read.add(document));
                return read.size() >= count;
            });
        }
        return read;
    }
}
