package io.neardup.flood;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.service.lifecycle.DedupService;
import io.neardup.testing.Feeder;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.OpenTransactions;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.World;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Copies without end, faster than they are judged, are duplicates of their original and leave the state of one
 * document.
 */
class EndlessCopiesIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int COPIES = 100_000;
    private static final int PORTION = 5_000;
    /** As many copies of one text come one after the other, so that each partition gets of all. */
    private static final int RUN = 7;

    private static final int INDEX_PARTITIONS = 4;
    private static final List<String> TEXTS =
            NewsFeed.generate(8, 8).stream().map(News::text).toList();
    private static final String TEXT = String.join(" ", TEXTS.subList(0, 7));
    /** A duplicate of the text, with a Jaccard of 0.74, that shares few bands with it. */
    private static final String VARIANT = String.join(" ", TEXTS.subList(0, 6)) + " " + TEXTS.get(7);

    @RegisterExtension
    static final World WORLD = new World();

    /** The original has the greatest ref of all: of equal candidates it is the last. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    @Tag("slow")
    void shouldKeepTheStateOfOneDocumentAfterCopiesWithoutEnd(int partitions) throws Exception {
        String servers = WORLD.servers();
        Outputs outputs = WORLD.outputs();
        WORLD.createTopics(partitions);
        DedupService service = WORLD.start("neardup.hash.seed=1", "neardup.bands.partitions=" + INDEX_PARTITIONS);
        try (Feeder feeder = new Feeder(servers, World.DOCUMENTS, partitions)) {
            feeder.feed(new News("original", TEXT), partitions - 1);
            outputs.await(1, PATIENCE);
            assertThat(outputs.of(Outputs.UNIQUE)).hasSize(1);
            outputs.forget();
            feed(feeder);
            awaitDuplicates(outputs);
            await().atMost(PATIENCE).until(service::isRunning);
        }
        WORLD.stop(service);
        await("what is committed is to be read").atMost(PATIENCE).until(() -> OpenTransactions.partitions(servers)
                .isEmpty());
        // What compaction leaves of the changelogs is the state.
        assertThat(liveRecords("originals")).isOne();
        assertThat(liveRecords("buckets")).isLessThanOrEqualTo(2L * INDEX_PARTITIONS);
        assertThat(liveRecords("progress")).isLessThan(10L * partitions);
    }

    private static void feed(Feeder feeder) throws Exception {
        for (int done = 0; done < COPIES; done += PORTION) {
            feeder.feed(IntStream.range(done, done + PORTION)
                    .mapToObj(i -> new News("copy" + i, i / RUN % 2 == 0 ? TEXT : VARIANT))
                    .toList());
        }
    }

    private static void awaitDuplicates(Outputs outputs) {
        for (int left = COPIES; left > 0; outputs.forget()) {
            outputs.await(Math.min(left, PORTION), PATIENCE);
            assertThat(outputs.of(Outputs.UNIQUE).size()).isZero();
            assertThat(outputs.of(Outputs.DUPLICATE_OF).stream()
                            .map(record -> Outputs.header(record, "neardup.duplicate-of"))
                            .collect(Collectors.toSet()))
                    .containsExactly("original");
            left -= outputs.size();
        }
    }

    /** How many records compaction would leave of a changelog: the last of each key that is no tombstone. */
    private long liveRecords(String store) {
        Map<List<Object>, Boolean> isLive = new HashMap<>();
        Records.read(WORLD.servers(), WORLD.applicationId() + "-" + store + "-changelog")
                .forEach(record ->
                        isLive.put(List.of(record.partition(), Bytes.wrap(record.key())), record.value() != null));
        return isLive.values().stream().filter(live -> live).count();
    }
}
