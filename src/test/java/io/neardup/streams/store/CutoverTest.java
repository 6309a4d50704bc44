package io.neardup.streams.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.engine.protocol.MigrationSource.Handover;
import io.neardup.streams.store.Cutover.CutoverStage;
import io.neardup.streams.store.CutoverEvent.Asked;
import io.neardup.streams.store.CutoverEvent.Empty;
import io.neardup.streams.store.CutoverEvent.Flushed;
import io.neardup.streams.store.CutoverEvent.Folded;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CutoverTest {
    private static final int COORDINATORS = 2;
    private static final int STORY_PARTITIONS = 3;

    @Test
    void shouldKeepTheFirstPositionsOfACoordinator() {
        Cutover cutover = fold(List.of(
                asked("A", false),
                new Empty(1, Map.of("documents", 7L), 70, 0),
                new Empty(1, Map.of("documents", 9L), 90, 0)));

        assertThat(cutover.positions()).isEqualTo(Map.of(1, Map.of("documents", 7L)));
        assertThat(cutover.eventMillis()).isEqualTo(Map.of(1, 70L));
        assertThat(cutover.coordinatorsLeft()).isEqualTo(1);
    }

    @Test
    void shouldTellWhenItsStageWasReached() {
        Cutover asked = Cutover.NONE.with(asked("A", false), 100);
        Cutover one = asked.with(empty(0), 200).with(asked("B", false), 300);

        assertThat(asked.sinceMillis()).isEqualTo(100);
        assertThat(one.sinceMillis()).isEqualTo(100);
        Cutover stories = one.with(empty(1), 400).with(new Folded(0), 500).with(new Folded(2), 500);
        assertThat(stories.sinceMillis()).isEqualTo(100);
        assertThat(stories.toFold()).containsExactly(1);
        assertThat(stories.with(new Folded(1), 600).with(empty(1), 700).sinceMillis())
                .isEqualTo(600);
    }

    /** Whoever has read less than others is behind them, and no more. */
    @Test
    void shouldNeverTakeBackWhatABeginningOfTheEventsTold() {
        Set<CutoverStage> met = EnumSet.noneOf(CutoverStage.class);
        for (int seed = 0; seed < 2_000; seed++) {
            List<CutoverEvent> events = drawn(new Random(seed));
            Cutover before = Cutover.NONE;
            for (int read = 0; read <= events.size(); read++) {
                Cutover cutover = fold(events.subList(0, read));

                String of = "seed " + seed + ": " + events.subList(0, read);
                assertThat(cutover.stage()).describedAs(of).isGreaterThanOrEqualTo(before.stage());
                assertThat(cutover.positions()).describedAs(of).containsAllEntriesOf(before.positions());
                if (before.request().isPresent()) {
                    assertThat(cutover.request()).describedAs(of).isEqualTo(before.request());
                }
                before = cutover;
            }
            assertThat(before.stage()).describedAs("seed %d: %s", seed, events).isEqualTo(stage(events));
            assertThat(before.request())
                    .describedAs("the first that asks counts for good")
                    .isEqualTo(events.stream()
                            .filter(Asked.class::isInstance)
                            .map(Asked.class::cast)
                            .findFirst());
            met.add(before.stage());
        }
        assertThat(met).containsExactlyInAnyOrder(CutoverStage.values());
    }

    /** The rule, said by all events at once instead of one after the other. */
    private static CutoverStage stage(List<CutoverEvent> events) {
        int asked = indexOf(events, 0, event -> event instanceof Asked);
        if (asked < 0) {
            return CutoverStage.NONE;
        }
        int allEmpty = asked;
        for (int coordinator = 0; coordinator < COORDINATORS; coordinator++) {
            int empty = indexOf(events, asked, empty(coordinator)::equals);
            allEmpty = empty < 0 ? events.size() : Math.max(allEmpty, empty);
        }
        boolean isFlushed = !((Asked) events.get(asked)).isSpread();
        if (!isFlushed) {
            List<CutoverEvent> then = events.subList(allEmpty, events.size());
            isFlushed = then.contains(new Flushed(0)) && then.contains(new Flushed(1));
        }
        return allEmpty < events.size() && isFlushed && isFolded(events, asked, allEmpty)
                ? CutoverStage.EMPTY
                : CutoverStage.ASKED;
    }

    /** Each partition of stories behind all that coordinators may send it. */
    private static boolean isFolded(List<CutoverEvent> events, int asked, int allEmpty) {
        int mayFold = allEmpty;
        for (int coordinator = 0; ((Asked) events.get(asked)).isSpread() && coordinator < COORDINATORS; coordinator++) {
            int flushed = indexOf(events, allEmpty, new Flushed(coordinator)::equals);
            mayFold = flushed < 0 ? events.size() : Math.max(mayFold, flushed);
        }
        return events.subList(mayFold, events.size()).containsAll(List.of(new Folded(0), new Folded(1), new Folded(2)));
    }

    private static int indexOf(List<CutoverEvent> events, int from, Predicate<CutoverEvent> sought) {
        for (int i = from; i < events.size(); i++) {
            if (sought.test(events.get(i))) {
                return i;
            }
        }
        return -1;
    }

    private static List<CutoverEvent> drawn(Random random) {
        List<CutoverEvent> events = new ArrayList<>();
        int count = random.nextInt(30);
        for (int i = 0; i < count; i++) {
            // Now and then one that there is none of.
            int coordinator = random.nextInt(10) == 0 ? COORDINATORS : random.nextInt(COORDINATORS);
            events.add(
                    switch (random.nextInt(4)) {
                        case 0 -> asked("r" + i, random.nextBoolean());
                        case 1 -> empty(coordinator);
                        case 2 -> new Flushed(coordinator);
                        default -> new Folded(random.nextInt(STORY_PARTITIONS + 1));
                    });
        }
        return events;
    }

    private static Asked asked(String request, boolean isSpread) {
        return new Asked(request, "b", COORDINATORS, isSpread);
    }

    private static Empty empty(int coordinator) {
        return new Empty(coordinator, Map.of("documents", 5L), 0, STORY_PARTITIONS);
    }

    private static Cutover fold(List<CutoverEvent> events) {
        Cutover cutover = Cutover.NONE;
        for (CutoverEvent event : events) {
            cutover = cutover.with(event, 1);
        }
        return cutover;
    }

    // ---- the events as they are kept

    static Stream<Arguments> events() {
        return Stream.of(
                Arguments.of(
                        new Asked("r", "other", 4, false),
                        "cutover/asked/r",
                        "{\"format\":2,\"successor\":\"other\",\"coordinators\":4,\"spread\":false}"),
                Arguments.of(
                        new Asked("r", "other", 4, true),
                        "cutover/asked/r",
                        "{\"format\":2,\"successor\":\"other\",\"coordinators\":4,\"spread\":true}"),
                Arguments.of(
                        new Empty(3, Map.of("b", 7L, "a", Handover.NOTHING_TAKEN), 1L << 40, 0),
                        "cutover/empty/3",
                        "{\"format\":2,\"positions\":{\"a\":-1,\"b\":7},\"eventMillis\":1099511627776}"),
                Arguments.of(
                        new Empty(3, Map.of(), 0, 8),
                        "cutover/empty/3",
                        "{\"format\":2,\"positions\":{},\"eventMillis\":0,\"storyPartitions\":8}"),
                Arguments.of(new Flushed(2), "cutover/flushed/2", "{\"format\":2}"),
                Arguments.of(new Folded(2), "cutover/folded/2", "{\"format\":2}"));
    }

    @ParameterizedTest
    @MethodSource("events")
    void shouldWriteAndRead(CutoverEvent event, String key, String value) {
        assertThat(event.key()).isEqualTo(key);
        assertThat(new String(event.value(), UTF_8)).isEqualTo(value);
        assertThat(CutoverEvent.decode(key, value.getBytes(UTF_8))).isEqualTo(event);
    }

    @Test
    void shouldSkipFieldsOfALaterRelease() {
        assertThat(CutoverEvent.decode("cutover/flushed/1", "{\"format\":2,\"why\":\"a\"}".getBytes(UTF_8)))
                .isEqualTo(new Flushed(1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            cutover/asked/r     | {"format":1,"successor":"b","coordinators":4,"spread":false}
            cutover/asked/r     | {"successor":"b","coordinators":4,"spread":false}
            cutover/asked/r     | {"format":2,"coordinators":4,"spread":false}
            cutover/asked/r     | {"format":2,"successor":"b","coordinators":4}
            cutover/asked/r     | {"format":2,"successor":"b","coordinators":0,"spread":false}
            cutover/asked/r     | no JSON
            cutover/empty/x     | {"format":2,"positions":{},"eventMillis":0}
            cutover/empty/-1    | {"format":2,"positions":{},"eventMillis":0}
            cutover/empty/1     | {"format":2,"eventMillis":0}
            cutover/empty/1     | {"format":2,"positions":{}}
            cutover/empty/1     | {"format":2,"positions":{"a":"b"},"eventMillis":0}
            cutover/empty/1     | {"format":2,"positions":{"a":null},"eventMillis":0}
            cutover/flushed     | {"format":2}
            cutover/flushed/1/2 | {"format":2}
            cutover/else/1      | {"format":2}
            seeds/flushed/1     | {"format":2}
            cutover/flushed/1   | []
            cutover/flushed/1   | null
            cutover/flushed/1   | ''
            # Of an earlier release.
            cutover/r/undone/x  | {"format":1}
            """)
    void shouldRefuseWhatIsNone(String key, String value) {
        assertThatThrownBy(() -> CutoverEvent.decode(key, value.getBytes(UTF_8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected");
    }
}
