package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.streams.store.Cutover.CutoverStage;
import io.neardup.streams.store.MigrationEvent.Asked;
import io.neardup.streams.store.MigrationEvent.Empty;
import io.neardup.streams.store.MigrationEvent.Flushed;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CutoverTest {
    private static final int COORDINATORS = 2;

    /** ax: request x is asked; sx: so of coordinators that tell each other; eh: coordinator h is empty; wh: flushed. */
    @ParameterizedTest
    @CsvSource({
        "'',                    NONE,",
        "aA,                    ASKED, A",
        "aA e0,                 ASKED, A",
        "aA e0 e1,              EMPTY, A",
        "aA e1 e0,              EMPTY, A",
        // The first that asks counts for good.
        "aA aB,                 ASKED, A",
        "aA e0 aB e1,           EMPTY, A",
        "aA e0 e1 aB,           EMPTY, A",
        "aA sB e0 e1,           EMPTY, A",
        // There are two coordinators, and each counts once.
        "aA e0 e0,              ASKED, A",
        "aA e0 e2,              ASKED, A",
        // Nobody is empty of what nobody asked for.
        "e0 e1,                 NONE,",
        "e0 aA e1,              ASKED, A",
        // Coordinators that tell each other are flushed when all are empty.
        "sA e0 e1,              ASKED, A",
        "sA e0 e1 w0 w0,        ASKED, A",
        "sA e0 w0 e1 w1,        ASKED, A",
        "sA e0 e1 w0 w2,        ASKED, A",
        "sA e0 e1 w0 w1,        EMPTY, A",
        "aA w0 w1,              ASKED, A",
    })
    void shouldFollowFromTheOrderOfEvents(String events, CutoverStage stage, String request) {
        Cutover cutover = fold(events(events));

        assertThat(cutover.stage()).isEqualTo(stage);
        assertThat(cutover.request().map(Asked::request).orElse(null)).isEqualTo(request);
    }

    @Test
    void shouldKeepTheFirstPositionsOfACoordinator() {
        Cutover cutover = fold(List.of(
                asked("A", false),
                new Empty(1, Map.of("documents", 7L), 70),
                new Empty(1, Map.of("documents", 9L), 90)));

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
        assertThat(one.with(empty(1), 400).with(empty(1), 500).sinceMillis()).isEqualTo(400);
    }

    /** Whoever has read less than others is behind them, and no more. */
    @Test
    void shouldNeverTakeBackWhatABeginningOfTheEventsTold() {
        Set<CutoverStage> met = EnumSet.noneOf(CutoverStage.class);
        for (int seed = 0; seed < 2_000; seed++) {
            List<MigrationEvent> events = drawn(new Random(seed));
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
            met.add(before.stage());
        }
        assertThat(met).containsExactlyInAnyOrder(CutoverStage.values());
    }

    /** The rule, said by all events at once instead of one after the other. */
    private static CutoverStage stage(List<MigrationEvent> events) {
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
            List<MigrationEvent> then = events.subList(allEmpty, events.size());
            isFlushed = then.contains(new Flushed(0)) && then.contains(new Flushed(1));
        }
        return allEmpty < events.size() && isFlushed ? CutoverStage.EMPTY : CutoverStage.ASKED;
    }

    private static int indexOf(List<MigrationEvent> events, int from, Predicate<MigrationEvent> sought) {
        for (int i = from; i < events.size(); i++) {
            if (sought.test(events.get(i))) {
                return i;
            }
        }
        return -1;
    }

    private static List<MigrationEvent> drawn(Random random) {
        List<MigrationEvent> events = new ArrayList<>();
        int count = random.nextInt(14);
        for (int i = 0; i < count; i++) {
            int coordinator = random.nextInt(COORDINATORS);
            events.add(
                    switch (random.nextInt(3)) {
                        case 0 -> asked("r" + i, random.nextBoolean());
                        case 1 -> empty(coordinator);
                        default -> new Flushed(coordinator);
                    });
        }
        return events;
    }

    private static Asked asked(String request, boolean isSpread) {
        return new Asked(request, "b", COORDINATORS, isSpread);
    }

    private static Empty empty(int coordinator) {
        return new Empty(coordinator, Map.of("documents", 5L), 0);
    }

    private static Cutover fold(List<MigrationEvent> events) {
        Cutover cutover = Cutover.NONE;
        for (MigrationEvent event : events) {
            cutover = cutover.with(event, 1);
        }
        return cutover;
    }

    private static List<MigrationEvent> events(String written) {
        List<MigrationEvent> events = new ArrayList<>();
        for (String event : written.isEmpty() ? new String[0] : written.split(" ")) {
            String of = event.substring(1);
            events.add(
                    switch (event.charAt(0)) {
                        case 'a' -> asked(of, false);
                        case 's' -> asked(of, true);
                        case 'w' -> new Flushed(Integer.parseInt(of));
                        default -> empty(Integer.parseInt(of));
                    });
        }
        return events;
    }
}
