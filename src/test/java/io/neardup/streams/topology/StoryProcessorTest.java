package io.neardup.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.record.InputRecord;
import io.neardup.record.Story;
import io.neardup.streams.input.Predecessor;
import io.neardup.streams.input.SeedPlan;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.store.Batch;
import io.neardup.streams.store.NodeNames;
import io.neardup.streams.store.StoryEvent;
import io.neardup.streams.store.StoryEvent.Copy;
import io.neardup.streams.store.StoryEvent.Ended;
import io.neardup.streams.store.StoryRows;
import io.neardup.streams.store.StoryStore;
import io.neardup.streams.store.StoryStore.Due;
import io.neardup.streams.store.StoryStore.Timer;
import io.neardup.testing.VerdictStories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.Punctuator;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The stories of an index after stops, with clocks that jump, where there is very much to do, and taken over. */
class StoryProcessorTest {
    private static final long NOW = 1_767_225_600_000L;
    private static final long EVERY = Duration.ofSeconds(10).toMillis();
    private static final String ORIGINALS = "before-originals-changelog";
    private static final long DAY = StoryProcessor.KEPT.toMillis();
    private static final String STORY = "documents-0-0";

    /** Who keeps the stories of an index, one a partition, by the clock of the test. */
    private static final class StoryKeepers {
        private final Seeding seeding;
        private final DedupTopology flow;
        private final List<Keeper> keepers = new ArrayList<>();
        /** By story, the last revision. */
        final Map<String, JsonNode> last = new TreeMap<>();

        final List<String> notes = new ArrayList<>();
        private final List<String> written = new ArrayList<>();
        private long nowMillis = NOW;
        private String eventsTopic = "events";

        StoryKeepers(int partitions, String rule, Seeding seeding) {
            this.seeding = seeding;
            NeardupConfig config = NeardupConfig.of(new Settings()
                    .pairs(List.of(
                            "neardup.outputs=records,stories",
                            "neardup.source=/source",
                            "neardup.stories.representative=" + rule)));
            flow = SmallStreams.flow(config, seeding);
            for (int partition = 0; partition < partitions; partition++) {
                keepers.add(new Keeper(partition));
            }
        }

        private record Next(Keeper keeper, CapturedPunctuator punctuator, long atMillis) {}

        private final class Keeper {
            final StoryRows rows = new StoryRows();
            final MockProcessorContext<Routed, byte[]> context;
            StoryProcessor processor;
            long offset;
            /** When the next punctuation of each is to be. */
            final Map<CapturedPunctuator, Long> nextMillis = new LinkedHashMap<>();

            Keeper(int partition) {
                context = new MockProcessorContext<>(new Properties(), new TaskId(0, partition), null) {
                    @Override
                    public Cancellable schedule(Duration interval, PunctuationType type, Punctuator callback) {
                        Cancellable scheduled = super.schedule(interval, type, callback);
                        List<CapturedPunctuator> all = scheduledPunctuators();
                        nextMillis.put(all.get(all.size() - 1), nowMillis + interval.toMillis());
                        return scheduled;
                    }
                };
                rows.init(context.getStateStoreContext(), rows);
                context.addStateStore(rows);
                processor = started();
            }

            private StoryProcessor started() {
                context.setCurrentSystemTimeMs(nowMillis);
                StoryProcessor started = new StoryProcessor(flow);
                started.init(context);
                return started;
            }

            Stream<Next> next() {
                return nextMillis.entrySet().stream()
                        .filter(next -> !next.getKey().cancelled())
                        .map(next -> new Next(this, next.getKey(), next.getValue()));
            }
        }

        void take(StoryEvent... ofOnePartition) {
            Batch<StoryEvent> batch = StoryEvent.batch();
            List.of(ofOnePartition).forEach(batch::add);
            int partition = StoryProcessor.partitionOf(ofOnePartition[0].story(), keepers.size());
            process(partition, batch.take(), new RecordHeaders());
        }

        private void process(int partition, byte[] value, Headers headers) {
            Keeper keeper = keepers.get(partition);
            keeper.context.setRecordMetadata(eventsTopic, partition, keeper.offset++);
            keeper.processor.process(new Record<>(null, value, 0, headers));
            read(keeper);
        }

        /** As the service does it when all coordinators are empty. */
        void handOver() {
            for (int partition = 0; partition < keepers.size(); partition++) {
                var flush = KnownCutover.fold("events", partition);
                process(partition, flush.value(), flush.headers());
            }
        }

        /** Reads from what another index wrote, a record of any of its partitions at a time. */
        void inherit(StoryKeepers from, Random random) {
            List<Integer> order = new ArrayList<>();
            for (int partition = 0; partition < from.keepers.size(); partition++) {
                order.addAll(Collections.nCopies(
                        from.keepers.get(partition).rows.changelog().size(), partition));
            }
            Collections.shuffle(order, random);
            int[] read = new int[from.keepers.size()];
            for (int partition : order) {
                Record<byte[], byte[]> row =
                        from.keepers.get(partition).rows.changelog().get(read[partition]++);
                InputRecord changed = new InputRecord("before", partition, 0, 0, row.key(), row.value(), List.of());
                StoryProcessor.route(changed, seeding, keepers.size())
                        .forEach(sent -> process(sent.key().partition(), sent.value(), new RecordHeaders()));
            }
        }

        void readFromTheBeginning() {
            keepers.forEach(keeper -> keeper.offset = 0);
        }

        /** As Kafka Streams does after a failure: the processor stays the same. */
        void revive() {
            keepers.forEach(keeper -> {
                keeper.processor.close();
                keeper.processor.init(keeper.context);
            });
        }

        void stopFor(long millis) {
            keepers.forEach(keeper -> keeper.processor.close());
            nowMillis += millis;
            keepers.forEach(keeper -> keeper.processor = keeper.started());
        }

        void setClock(long millis) {
            nowMillis = millis;
            keepers.forEach(keeper -> keeper.context.setCurrentSystemTimeMs(millis));
        }

        /** Lets the clock go on, and everything happen that is due meanwhile. */
        void advance(long millis) {
            long untilMillis = nowMillis + millis;
            Optional<Next> next = next();
            while (next.isPresent() && next.get().atMillis <= untilMillis) {
                setClock(Math.max(nowMillis, next.get().atMillis));
                punctuate();
                next = next();
            }
            setClock(untilMillis);
        }

        private Optional<Next> next() {
            return keepers.stream().flatMap(Keeper::next).min(Comparator.comparingLong(Next::atMillis));
        }

        /** Has look who is to look next. */
        void punctuate() {
            Next next = next().orElseThrow();
            next.keeper.nextMillis.merge(
                    next.punctuator, next.punctuator.getInterval().toMillis(), Long::sum);
            next.punctuator.getPunctuator().punctuate(nowMillis);
            read(next.keeper);
        }

        /** Those of the first partition. */
        StoryRows rows() {
            return keepers.get(0).rows;
        }

        /** What was written since the last call: a revision with copies and sources, or that a story is over. */
        List<String> written() {
            List<String> all = List.copyOf(written);
            written.clear();
            return all;
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
                    written.add("over");
                } else {
                    last.put(key, VerdictStories.comparable(value));
                    written.add(summary(value));
                }
            }
            keeper.context.resetForwards();
        }

        private static String summary(byte[] value) {
            try {
                Story story = Story.decode(value);
                return story.revision() + ": " + story.copies() + " of "
                        + story.sources().size();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final StoryKeepers keeper = new StoryKeepers(1, "first", Seeding.none());
    private final StoryStore store = new StoryStore(keeper.rows());
    private int copies;

    private Copy copy(String story, String source) {
        copies++;
        return StoryFoldTest.copy(story, copies, source);
    }

    private void assertThatNothingIsLeft() {
        try (var left = keeper.rows().all()) {
            assertThat(left)
                    .toIterable()
                    .allMatch(row -> StoryStore.placeOf(row.key).isEmpty())
                    .as("how far events were folded")
                    .hasSize(1);
        }
    }

    @Test
    void shouldPassTimersOfStoriesThatAreNoMoreOrAreDueAtAnotherTime() {
        // As where removals were missed.
        store.add(Timer.REVISION, new Due(NOW + 1, "gone-0-0"));
        store.add(Timer.REVISION, new Due(NOW + 2, STORY));
        keeper.stopFor(0);
        keeper.take(copy(STORY, "a.com"));
        keeper.take(copy(STORY, "b.com"));
        assertThat(keeper.written()).containsExactly("1: 1 of 2");

        keeper.advance(EVERY - 1);
        assertThat(keeper.written()).isEmpty();
        keeper.advance(1);
        assertThat(keeper.written()).containsExactly("2: 2 of 3");
        assertThat(store.next(Timer.REVISION)).isEmpty();
        keeper.advance(Duration.ofMinutes(3).toMillis());
        assertThat(keeper.next()).as("Streams commits after each punctuation").isEmpty();
    }

    /** As where the cluster has forgotten what the group had read; in the test a topic's name is its id. */
    @Test
    void shouldCountACopyOnceThatIsReadAgainButEachOfATopicMadeAgain() {
        Copy first = copy(STORY, "a.com");
        keeper.take(first);
        keeper.take(copy(STORY, "b.com"));
        keeper.stopFor(DAY);
        keeper.written();

        keeper.readFromTheBeginning();
        keeper.take(first);
        assertThat(keeper.written()).isEmpty();
        keeper.advance(EVERY);
        assertThat(keeper.written()).containsExactly("2: 2 of 3");

        keeper.eventsTopic = "made again";
        keeper.readFromTheBeginning();
        keeper.take(copy(STORY, "c.com"));
        keeper.advance(EVERY);
        assertThat(keeper.written()).containsExactly("3: 3 of 4");
    }

    @Test
    void shouldNeverWriteAStoryOfWhichAPartIsDeleted() {
        int stories = 12;
        for (int story = 0; story < stories; story++) {
            String place = "documents-0-" + story;
            for (int i = 0; i < 990; i++) {
                keeper.take(copy(place, "s" + i + ".com"));
            }
            keeper.take(new Ended(place));
        }
        keeper.advance(EVERY);
        keeper.setClock(NOW + DAY - EVERY + 5);
        for (int story = 0; story < stories; story++) {
            keeper.take(copy("documents-0-" + story, "s1.com"));
            keeper.take(copy("documents-0-" + story, "s2.com"));
        }
        keeper.written();

        // All end at once, more rows than go in one look, and a moment later another revision of each is due.
        keeper.advance(Duration.ofMinutes(3).toMillis());
        List<String> written = keeper.written();
        assertThat(written).containsOnly("over", "4: 992 of 991");
        assertThat(written).filteredOn("over"::equals).hasSize(stories);
        assertThatNothingIsLeft();
    }

    @Test
    void shouldWriteNoMoreThanSomeMegabytesAtOnce() {
        String name = "x".repeat(1_500);
        int stories = 12;
        for (int story = 0; story < stories; story++) {
            for (int i = 0; i < 300; i++) {
                keeper.take(copy("documents-0-" + story, i + name));
            }
        }
        keeper.written();

        keeper.setClock(keeper.nowMillis + EVERY);
        keeper.punctuate();
        List<String> first = keeper.written();
        assertThat(first).hasSizeBetween(4, 10);
        keeper.advance(EVERY);
        assertThat(keeper.written()).hasSize(stories - first.size()).containsOnly("2: 300 of 301");
    }

    @Test
    void shouldNotWaitForAMinuteWithTheRestWhereMoreHaveEndedThanOneStepDeletes() {
        int stories = 12_000;
        for (int story = 0; story < stories; story++) {
            String place = "documents-0-" + story;
            keeper.take(copy(place, "a"), new Ended(place));
        }
        keeper.advance(StoryProcessor.KEPT.toMillis());
        assertThat(keeper.last).isNotEmpty();

        keeper.advance(Duration.ofSeconds(1).toMillis());
        assertThat(keeper.last).isEmpty();
        assertThatNothingIsLeft();
    }

    @Test
    void shouldWriteWhatWasDueBeforeItsTaskWasRevivedAmidEndedStories() {
        for (int story = 0; story < 12_000; story++) {
            String place = "documents-0-" + story;
            keeper.take(copy(place, "a"), new Ended(place));
        }
        keeper.advance(StoryProcessor.KEPT.toMillis());
        keeper.take(copy("documents-0-before", "a"), copy("documents-0-before", "b"));
        keeper.take(copy("documents-0-before", "c"));

        keeper.setClock(keeper.nowMillis + EVERY / 2);
        keeper.revive();
        keeper.take(copy("documents-0-after", "a"), copy("documents-0-after", "b"));
        keeper.take(copy("documents-0-after", "c"));
        keeper.written();
        keeper.advance(2 * EVERY);

        assertThat(keeper.written()).filteredOn("2: 3 of 4"::equals).hasSize(2);
    }

    // ---- in an index that succeeds another, as it would have folded all of them itself

    private static Seeding following() {
        Predecessor before = new Predecessor("before", "index", 1, ORIGINALS, "id", false, SeedPlan.NONE, List.of(), 1);
        return Seeding.after(before, 1, List.of("documents"));
    }

    private static StoryKeepers index(int partitions, String rule) {
        return new StoryKeepers(partitions, rule, Seeding.none());
    }

    /** All that it follows is here: it has the input. */
    private static void open(Seeding seeding) {
        seeding.noteRead(ORIGINALS, 0, 0);
    }

    @ParameterizedTest
    @CsvSource({
        "first,first,1,3",
        "longest,longest,3,2",
        "'source:two.org,agency','source:two.org,agency',2,2",
        "newest,newest,3,1",
        "longest,newest,2,3",
        "'source:m.two.org,nobody,one.com','source:m.two.org,nobody,one.com',1,1"
    })
    void shouldTellWhatVerdictsOfBothTellInWhateverOrderRowsCome(String rule, String then, int before, int after) {
        for (int seed = 0; seed < 30; seed++) {
            Random random = new Random(seed);
            StoryFoldTest.Documents documents = new StoryFoldTest.Documents(seed, then, 5, 1 + seed * 5);
            List<Copy> copies = new ArrayList<>(documents.copies);
            Collections.shuffle(copies, random);
            int handedOver = random.nextInt(copies.size() + 1);
            StoryKeepers predecessor = index(before, rule);
            Seeding seeding = following();
            StoryKeepers successor = new StoryKeepers(after, then, seeding);

            copies.subList(0, handedOver / 2).forEach(predecessor::take);
            successor.inherit(predecessor, random);
            copies.subList(handedOver / 2, handedOver).forEach(predecessor::take);
            predecessor.handOver();
            // From the beginning, once more.
            successor.inherit(predecessor, random);
            successor.advance(EVERY);
            assertThat(successor.last).as("as long as it follows").isEmpty();
            open(seeding);
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
        StoryFoldTest.Documents documents = new StoryFoldTest.Documents(7, "first", 5, 60);
        StoryKeepers predecessor = index(2, "first");
        documents.copies.forEach(predecessor::take);
        assertThat(predecessor.last).isNotEqualTo(documents.verdicts.stories());

        predecessor.handOver();

        assertThat(predecessor.last).isEqualTo(documents.verdicts.stories());
        assertThat(predecessor.notes).containsExactly("cutover/folded/0", "cutover/folded/1");
    }

    @Test
    void shouldGoOnWithAStoryOfMoreThanAThousandSources() {
        StoryKeepers predecessor = index(1, "first");
        Seeding seeding = following();
        StoryKeepers successor = new StoryKeepers(1, "first", seeding);
        StoryKeepers alone = index(1, "first");
        for (int i = 1; i <= 2_000; i++) {
            Copy copy = StoryFoldTest.copy("documents-0-0", i, "s" + i + ".com");
            alone.take(copy);
            (i <= 1_200 ? predecessor : successor).take(copy);
            if (i == 1_200) {
                predecessor.handOver();
                successor.inherit(predecessor, new Random(1));
                open(seeding);
            }
        }
        alone.advance(EVERY);
        successor.advance(EVERY);

        assertThat(successor.last).hasSize(1).isEqualTo(alone.last);
        assertThat(successor.last.toString()).contains("\"copies\":2000", "\"exact\":false");
    }

    @Test
    void shouldEndWhatHasEndedBeforeOrMeanwhile() {
        StoryKeepers predecessor = index(1, "first");
        Seeding seeding = following();
        StoryKeepers successor = new StoryKeepers(1, "first", seeding);
        for (int story = 0; story < 4; story++) {
            predecessor.take(StoryFoldTest.copy("documents-0-" + story, story, "a.com"));
        }
        predecessor.take(new Ended("documents-0-0"));
        successor.take(new Ended("documents-0-1")); // By its own coordinators, before it knows of any copy.
        successor.inherit(predecessor, new Random(1));
        successor.take(new Ended("documents-0-2"));
        successor.inherit(predecessor, new Random(1));
        open(seeding);
        successor.advance(EVERY);
        assertThat(successor.last).hasSize(4);

        successor.advance(StoryProcessor.KEPT.toMillis());
        assertThat(successor.last).containsOnlyKeys("documents-0-3");
    }

    @Test
    void shouldForgetWhatThePredecessorForgetsWhileItFollows() {
        StoryKeepers predecessor = index(1, "first");
        Seeding seeding = following();
        StoryKeepers successor = new StoryKeepers(1, "first", seeding);
        predecessor.take(StoryFoldTest.copy("documents-0-0", 1, "a.com"));
        predecessor.take(new Ended("documents-0-0"));
        successor.inherit(predecessor, new Random(1));
        predecessor.advance(StoryProcessor.KEPT.toMillis());
        successor.inherit(predecessor, new Random(1));
        open(seeding);
        successor.advance(EVERY);
        assertThat(successor.last).isEmpty();
    }
}
