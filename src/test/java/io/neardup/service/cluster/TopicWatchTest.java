package io.neardup.service.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.cluster.ClusterAdmin.FoundTopic;
import io.neardup.service.cluster.StoredIndex.KnownTopics;
import io.neardup.streams.input.InputGenerations;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TopicWatchTest {
    private static final FoundTopic FIRST = new FoundTopic(2, "first");
    private static final FoundTopic SECOND = new FoundTopic(2, "second");
    private static final Map<String, FoundTopic> STARTED =
            Map.of("documents", FIRST, "neardup-replies", FIRST, "unique", FIRST);

    private static final NeardupConfig CONFIG = NeardupConfig.of(new Settings());

    /** Nothing is asked of it. */
    private final ClusterAdmin admin =
            new ClusterAdmin(Admin.create(Map.of("bootstrap.servers", "127.0.0.1:1")), "127.0.0.1:1");

    private final TopicWatch changes = new TopicWatch(admin, STARTED, CONFIG, 2);

    @AfterEach
    void close() {
        admin.close();
    }

    @Test
    void shouldFindNoneWhereAllIsAsItWasOrAnOutputIsAnother() {
        assertThat(changes.among(STARTED)).isEmpty();
        assertThat(changes.among(
                        Map.of("documents", FIRST, "neardup-replies", FIRST, "unique", new FoundTopic(7, "other"))))
                .isEmpty();
    }

    @Test
    void shouldSayWhatWasFoundByTopic() {
        assertThat(changes.among(Map.of("neardup-replies", new FoundTopic(3, "first"), "documents", SECOND)))
                .hasSize(3)
                .satisfies(lines -> {
                    assertThat(lines.get(0)).startsWith("topic documents: ").contains("found another made under");
                    assertThat(lines.get(1))
                            .startsWith("topic neardup-replies: ")
                            .contains("with 2 partitions, found 3");
                    assertThat(lines.get(2)).startsWith("topic unique: ").contains("found none; src/docs/runbook.md");
                });
    }

    @Test
    void shouldGoOnWhereTheInputHasGrown() {
        Map<String, FoundTopic> grown =
                Map.of("documents", new FoundTopic(3, "first"), "neardup-replies", FIRST, "unique", FIRST);

        assertThat(changes.among(grown)).isEmpty();
        assertThat(TopicWatch.grown(CONFIG.inputTopics(), 2, grown))
                .singleElement(STRING)
                .contains("topic documents has 3 partitions, and this index reads the 2");
        assertThat(TopicWatch.grown(CONFIG.inputTopics(), 2, STARTED)).isEmpty();
    }

    /** A coordinator would get a partition more without a word. */
    @Test
    void shouldStopWhereAnInputGrowsThatHadFewerPartitionsThanCoordinators() {
        TopicWatch ofFour = new TopicWatch(admin, STARTED, CONFIG, 4);

        assertThat(ofFour.among(
                        Map.of("documents", new FoundTopic(6, "first"), "neardup-replies", FIRST, "unique", FIRST)))
                .singleElement(STRING)
                .contains("with 2 partitions, found 6");
    }

    /** Only what two looks in a row find. */
    @Test
    void shouldTakeAChangeForALastingOneWhereItIsFoundAgain() {
        List<String> one = changes.among(Map.of("documents", FIRST, "unique", FIRST));
        List<String> other = changes.among(Map.of("neardup-replies", FIRST, "unique", FIRST));
        List<String> both = changes.among(Map.of("unique", FIRST));

        assertThat(changes.lasting(one)).isEmpty();
        assertThat(changes.lasting(other)).as("one after another").isEmpty();
        assertThat(changes.lasting(other)).isEqualTo(other);
        assertThat(changes.lasting(both)).as("what lasts of several").isEqualTo(other);
        assertThat(changes.lasting(List.of())).isEmpty();
        assertThat(changes.lasting(one)).as("anew after a look without changes").isEmpty();
    }

    // ---- topics that an index has met

    @Test
    void shouldCountTheGenerationsOfATopic() {
        KnownTopics known = KnownTopics.NONE
                .with("documents", "a")
                .with("more", "b")
                .with("neardup-progress-changelog", "d")
                .with("documents", "c")
                .with("documents", "c");

        assertThat(known.id("documents")).contains("c");
        assertThat(known.id("more")).contains("b");
        assertThat(known.id("other")).isEmpty();
        assertThat(known.generations(CONFIG))
                .isEqualTo(new InputGenerations(Map.of("documents", 1, "more", 0), Set.of("more")));
    }
}
