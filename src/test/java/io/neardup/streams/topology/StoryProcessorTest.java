package io.neardup.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.record.Story;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.store.Batch;
import io.neardup.streams.store.NodeNames;
import io.neardup.streams.store.StoryEvent;
import io.neardup.streams.store.StoryEvent.Copy;
import io.neardup.streams.store.StoryEvent.Ended;
import io.neardup.streams.store.StoryStore;
import io.neardup.streams.store.StoryStore.Due;
import io.neardup.streams.store.StoryStore.Timer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.Punctuator;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The stories of one partition after stops, with clocks that jump, and where there is very much to do. */
class StoryProcessorTest {
    private static final long NOW = 1_767_225_600_000L;
    private static final long EVERY = Duration.ofSeconds(10).toMillis();
    private static final long DAY = StoryProcessor.KEPT.toMillis();
    private static final String STORY = "documents-0-0";

    /** Tells when the last punctuation is to be that was asked for: there is one at a time. */
    private final MockProcessorContext<Routed, byte[]> context = new MockProcessorContext<>(new Properties()) {
        @Override
        public Cancellable schedule(Duration interval, PunctuationType type, Punctuator callback) {
            scheduledMillis = nowMillis + interval.toMillis();
            return super.schedule(interval, type, callback);
        }
    };

    private final KeyValueStore<Bytes, byte[]> rows =
            Stores.inMemoryKeyValueStore(NodeNames.STORIES).get();
    private final StoryStore store = new StoryStore(rows);
    private StoryProcessor processor = processor();
    private long nowMillis = NOW;
    private long scheduledMillis;
    private int copies;

    private static StoryProcessor processor() {
        NeardupConfig config = NeardupConfig.of(new Settings().pairs(List.of("neardup.outputs=records,stories")));
        return new StoryProcessor(SmallStreams.flow(config, Seeding.none()));
    }

    @BeforeEach
    void begin() {
        rows.init(context.getStateStoreContext(), rows);
        context.addStateStore(rows);
        start();
    }

    private void start() {
        context.setCurrentSystemTimeMs(nowMillis);
        processor = processor();
        processor.init(context);
    }

    private void stopFor(long millis) {
        processor.close();
        nowMillis += millis;
        start();
    }

    private void take(StoryEvent... events) {
        Batch<StoryEvent> batch = StoryEvent.batch();
        List.of(events).forEach(batch::add);
        processor.process(new Record<>(null, batch.take(), 0));
    }

    private Copy copy(String story, String source) {
        copies++;
        return StoryFoldTest.copy(story, copies, source);
    }

    private Optional<CapturedPunctuator> scheduled() {
        return context.scheduledPunctuators().stream()
                .filter(punctuator -> !punctuator.cancelled())
                .findFirst();
    }

    /** Lets the clock go on, and everything happen that is due meanwhile. */
    private void advance(long millis) {
        long untilMillis = nowMillis + millis;
        Optional<CapturedPunctuator> next = scheduled();
        while (next.isPresent() && scheduledMillis <= untilMillis) {
            setClock(Math.max(nowMillis, scheduledMillis));
            next.get().getPunctuator().punctuate(nowMillis);
            next = scheduled();
        }
        setClock(untilMillis);
    }

    private void setClock(long millis) {
        nowMillis = millis;
        context.setCurrentSystemTimeMs(millis);
    }

    /** What was written since the last call: a revision with copies and sources, or that the story is over. */
    private List<String> written() throws IOException {
        List<String> written = new ArrayList<>();
        for (var forwarded : context.forwarded()) {
            byte[] value = forwarded.record().value();
            Story story = value == null ? null : Story.decode(value);
            written.add(
                    story == null
                            ? "over"
                            : story.revision() + ": " + story.copies() + " of "
                                    + story.sources().size());
        }
        context.resetForwards();
        return written;
    }

    @Test
    void shouldPassTimersOfStoriesThatAreNoMoreOrAreDueAtAnotherTime() throws IOException {
        // As where removals were missed.
        store.add(Timer.REVISION, new Due(NOW + 1, "gone-0-0"));
        store.add(Timer.REVISION, new Due(NOW + 2, STORY));
        stopFor(0);
        take(copy(STORY, "a.com"));
        take(copy(STORY, "b.com"));
        assertThat(written()).containsExactly("1: 1 of 2");

        advance(EVERY - 1);
        assertThat(written()).isEmpty();
        advance(1);
        assertThat(written()).containsExactly("2: 2 of 3");
        assertThat(scheduled()).isEmpty();
        assertThat(store.next(Timer.REVISION)).isEmpty();
    }

    @Test
    void shouldWriteTheLastStateInTimeWhereTheClockWasSetBack() throws IOException {
        take(copy(STORY, "a.com"));
        take(copy(STORY, "b.com"));
        setClock(nowMillis - Duration.ofHours(1).toMillis());
        take(copy(STORY, "c.com"));
        assertThat(written()).containsExactly("1: 1 of 2");

        advance(EVERY);
        assertThat(written()).containsExactly("2: 3 of 4");
        advance(DAY);
        assertThat(written()).isEmpty();
    }

    @Test
    void shouldKeepAStoryThatEndedADayFromAStartAsCopiesMayWaitToBeRead() throws IOException {
        take(copy(STORY, "a.com"), new Ended(STORY));
        written();

        stopFor(3 * DAY);
        advance(DAY / 2);
        take(copy(STORY, "b.com"));
        assertThat(written()).containsExactly("2: 2 of 3");

        advance(DAY / 2);
        assertThat(written()).containsExactly("over");
        try (var left = rows.all()) {
            assertThat(left).isExhausted();
        }
    }

    @Test
    void shouldNeverWriteAStoryOfWhichAPartIsDeleted() throws IOException {
        int stories = 12;
        for (int story = 0; story < stories; story++) {
            String place = "documents-0-" + story;
            for (int i = 0; i < 990; i++) {
                take(copy(place, "s" + i + ".com"));
            }
            take(new Ended(place));
        }
        advance(EVERY);
        setClock(NOW + DAY - EVERY + 5);
        for (int story = 0; story < stories; story++) {
            take(copy("documents-0-" + story, "s1.com"));
            take(copy("documents-0-" + story, "s2.com"));
        }
        written();

        // All end at once, more rows than go in one look, and a moment later another revision of each is due.
        advance(3 * EVERY);
        List<String> written = written();
        assertThat(written).containsOnly("over", "4: 992 of 991");
        assertThat(written).filteredOn("over"::equals).hasSize(stories);
        try (var left = rows.all()) {
            assertThat(left).isExhausted();
        }
    }

    @Test
    void shouldWriteNoMoreThanSomeMegabytesAtOnce() throws IOException {
        String name = "x".repeat(1_500);
        int stories = 12;
        for (int story = 0; story < stories; story++) {
            for (int i = 0; i < 300; i++) {
                take(copy("documents-0-" + story, i + name));
            }
        }
        written();

        setClock(nowMillis + EVERY);
        scheduled().orElseThrow().getPunctuator().punctuate(nowMillis);
        List<String> first = written();
        assertThat(first).hasSizeBetween(4, 10);
        advance(EVERY);
        assertThat(written()).hasSize(stories - first.size()).containsOnly("2: 300 of 301");
    }
}
