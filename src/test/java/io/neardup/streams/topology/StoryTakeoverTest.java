package io.neardup.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.streams.input.Predecessor;
import io.neardup.streams.input.SeedPlan;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.store.Batch;
import io.neardup.streams.store.NodeNames;
import io.neardup.streams.store.StoryEvent;
import io.neardup.streams.store.StoryEvent.Copy;
import io.neardup.streams.store.StoryEvent.Ended;
import io.neardup.streams.topology.StoryFoldTest.Documents;
import io.neardup.testing.VerdictStories;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.internals.InMemoryKeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The stories of an index in one that succeeds it, as it would have folded all of them itself. */
class StoryTakeoverTest {
    private static final long NOW = 1_767_225_600_000L;
    private static final long EVERY = Duration.ofSeconds(10).toMillis();
    private static final String ORIGINALS = "before-originals-changelog";

    private static Seeding following() {
        Predecessor before = new Predecessor("before", "index", 1, ORIGINALS, "id", false, SeedPlan.NONE, List.of(), 1);
        return Seeding.after(before, 1, List.of("documents"));
    }

    /** Who keeps the stories of an index, one a partition. */
    private static final class Index {
        private final Seeding seeding;
        private final List<Keeper> keepers = new ArrayList<>();
        /** What each partition wrote to its changelog, in order. */
        private final List<List<Record<byte[], byte[]>>> changelog = new ArrayList<>();

        private final Map<String, JsonNode> last = new TreeMap<>();
        private final List<String> notes = new ArrayList<>();
        private long nowMillis = NOW;

        private record Keeper(StoryProcessor processor, MockProcessorContext<Routed, byte[]> context) {}

        Index(int partitions, String rule, Seeding seeding) {
            this.seeding = seeding;
            NeardupConfig config = NeardupConfig.of(new Settings()
                    .pairs(List.of(
                            "neardup.outputs=records,stories",
                            "neardup.source=/source",
                            "neardup.stories.representative=" + rule)));
            DedupTopology flow = SmallStreams.flow(config, seeding);
            for (int partition = 0; partition < partitions; partition++) {
                List<Record<byte[], byte[]>> changes = new ArrayList<>();
                changelog.add(changes);
                MockProcessorContext<Routed, byte[]> context =
                        new MockProcessorContext<>(new Properties(), new TaskId(0, partition), null);
                InMemoryKeyValueStore rows = new InMemoryKeyValueStore(NodeNames.STORIES) {
                    @Override
                    public synchronized void put(Bytes key, byte[] value) {
                        changes.add(new Record<>(key.get(), value, 0));
                        super.put(key, value);
                    }

                    @Override
                    public synchronized byte[] delete(Bytes key) {
                        changes.add(new Record<>(key.get(), null, 0));
                        return super.delete(key);
                    }
                };
                rows.init(context.getStateStoreContext(), rows);
                context.addStateStore(rows);
                StoryProcessor processor = new StoryProcessor(flow);
                context.setCurrentSystemTimeMs(nowMillis);
                processor.init(context);
                keepers.add(new Keeper(processor, context));
            }
        }

        void take(StoryEvent event) {
            Batch<StoryEvent> batch = StoryEvent.batch();
            batch.add(event);
            process(StoryRelay.keeper(event.story(), keepers.size()), batch.take(), new RecordHeaders());
        }

        private void process(int partition, byte[] value, Headers headers) {
            Keeper keeper = keepers.get(partition);
            keeper.processor.process(new Record<>(null, value, 0, headers));
            read(keeper);
        }

        /** As the service does it when all coordinators are empty. */
        void handOver() {
            for (int partition = 0; partition < keepers.size(); partition++) {
                var flush = CutoverOrders.fold("events", partition);
                process(partition, flush.value(), flush.headers());
            }
        }

        /** Reads from what another index wrote, a record of any of its partitions at a time. */
        void inherit(Index from, Random random) {
            List<Integer> order = new ArrayList<>();
            for (int partition = 0; partition < from.changelog.size(); partition++) {
                order.addAll(Collections.nCopies(from.changelog.get(partition).size(), partition));
            }
            Collections.shuffle(order, random);
            MockProcessorContext<Routed, byte[]> context = new MockProcessorContext<>();
            context.setCurrentSystemTimeMs(nowMillis);
            StoryRelay relay = new StoryRelay(seeding, keepers.size());
            relay.init(context);
            int[] read = new int[from.changelog.size()];
            for (int partition : order) {
                relay.process(from.changelog.get(partition).get(read[partition]++));
            }
            context.forwarded()
                    .forEach(sent -> process(
                            sent.record().key().partition(), sent.record().value(), new RecordHeaders()));
        }

        void open() {
            seeding.noteRead(ORIGINALS, 0, 0);
        }

        void advance(long millis) {
            nowMillis += millis;
            for (Keeper keeper : keepers) {
                keeper.context.setCurrentSystemTimeMs(nowMillis);
                keeper.context.scheduledPunctuators().stream()
                        .filter(punctuator -> !punctuator.cancelled())
                        .toList()
                        .forEach(punctuator -> punctuator.getPunctuator().punctuate(nowMillis));
                read(keeper);
            }
        }

        private void read(Keeper keeper) {
            for (var forwarded : keeper.context.forwarded()) {
                String key = new String(
                        Objects.requireNonNull(forwarded.record().key().key()), UTF_8);
                byte[] value = forwarded.record().value();
                if (forwarded.childName().orElse("").equals(NodeNames.STORY_NOTES)) {
                    notes.add(key);
                } else if (value == null) {
                    last.remove(key);
                } else {
                    last.put(key, VerdictStories.comparable(value));
                }
            }
            keeper.context.resetForwards();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "first,first,1,3",
        "longest,longest,3,2",
        "'source:two.org,agency','source:two.org,agency',2,2",
        "newest,newest,3,1",
        "longest,newest,2,3"
    })
    void shouldTellWhatVerdictsOfBothTellInWhateverOrderRowsCome(String rule, String then, int before, int after) {
        for (int seed = 0; seed < 30; seed++) {
            Random random = new Random(seed);
            Documents documents = new Documents(seed, then, 5, 1 + seed * 5);
            List<Copy> copies = new ArrayList<>(documents.copies);
            Collections.shuffle(copies, random);
            int handedOver = random.nextInt(copies.size() + 1);
            Index predecessor = new Index(before, rule, Seeding.none());
            Index successor = new Index(after, then, following());

            copies.subList(0, handedOver / 2).forEach(predecessor::take);
            successor.inherit(predecessor, random);
            copies.subList(handedOver / 2, handedOver).forEach(predecessor::take);
            predecessor.handOver();
            // From the beginning, once more.
            successor.inherit(predecessor, random);
            successor.advance(EVERY);
            assertThat(successor.last).as("as long as it follows").isEmpty();
            successor.open();
            successor.inherit(predecessor, random);
            copies.subList(handedOver, copies.size()).forEach(successor::take);
            // What it took over is never brought again.
            successor.inherit(predecessor, random);
            successor.advance(EVERY);
            successor.advance(EVERY);

            assertThat(successor.last).describedAs("seed %d", seed).isEqualTo(documents.verdicts.stories());
            assertThat(predecessor.notes).describedAs("seed %d", seed).hasSize(before);
        }
    }

    @Test
    void shouldLeaveTheLastStateWhereItHandsOver() {
        Documents documents = new Documents(7, "first", 5, 60);
        Index predecessor = new Index(2, "first", Seeding.none());
        documents.copies.forEach(predecessor::take);
        assertThat(predecessor.last).isNotEqualTo(documents.verdicts.stories());

        predecessor.handOver();

        assertThat(predecessor.last).isEqualTo(documents.verdicts.stories());
        assertThat(predecessor.notes).containsExactly("cutover/folded/0", "cutover/folded/1");
    }

    @Test
    void shouldGoOnWithAStoryOfMoreThanAThousandSources() {
        Index predecessor = new Index(1, "first", Seeding.none());
        Index successor = new Index(1, "first", following());
        Index alone = new Index(1, "first", Seeding.none());
        for (int i = 1; i <= 2_000; i++) {
            Copy copy = StoryFoldTest.copy("documents-0-0", i, "s" + i + ".com");
            alone.take(copy);
            (i <= 1_200 ? predecessor : successor).take(copy);
            if (i == 1_200) {
                predecessor.handOver();
                successor.inherit(predecessor, new Random(1));
                successor.open();
            }
        }
        alone.advance(EVERY);
        successor.advance(EVERY);

        assertThat(successor.last).hasSize(1).isEqualTo(alone.last);
        assertThat(successor.last.toString()).contains("\"copies\":2000", "\"exact\":false");
    }

    @Test
    void shouldEndWhatHasEndedBeforeOrMeanwhile() {
        Index predecessor = new Index(1, "first", Seeding.none());
        Index successor = new Index(1, "first", following());
        for (int story = 0; story < 4; story++) {
            predecessor.take(StoryFoldTest.copy("documents-0-" + story, story, "a.com"));
        }
        predecessor.take(new Ended("documents-0-0"));
        successor.take(new Ended("documents-0-1")); // By its own coordinators, before it knows of any copy.
        successor.inherit(predecessor, new Random(1));
        successor.take(new Ended("documents-0-2"));
        successor.inherit(predecessor, new Random(1));
        successor.open();
        successor.advance(EVERY);
        assertThat(successor.last).hasSize(4);

        successor.advance(StoryProcessor.KEPT.toMillis());
        assertThat(successor.last).containsOnlyKeys("documents-0-3");
    }

    @Test
    void shouldForgetWhatThePredecessorForgetsWhileItFollows() {
        Index predecessor = new Index(1, "first", Seeding.none());
        Index successor = new Index(1, "first", following());
        predecessor.take(StoryFoldTest.copy("documents-0-0", 1, "a.com"));
        predecessor.take(new Ended("documents-0-0"));
        successor.inherit(predecessor, new Random(1));
        predecessor.advance(StoryProcessor.KEPT.toMillis());
        successor.inherit(predecessor, new Random(1));
        successor.open();
        successor.advance(EVERY);
        assertThat(successor.last).isEmpty();
    }
}
