package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.streams.store.Cutover.CutoverStage;
import io.neardup.streams.store.MigrationEvent.Asked;
import io.neardup.streams.store.MigrationEvent.Empty;
import io.neardup.streams.store.MigrationEvent.Fixed;
import io.neardup.streams.store.MigrationEvent.Flushed;
import io.neardup.streams.store.MigrationEvent.Undone;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CutoverTest {
    private static final int COORDINATORS = 2;

    /**
     * ax: request x is asked; ux: undone; fxh: coordinator h has fixed under it; exh: empty; wxh: flushed; sx: asked
     * so.
     */
    @ParameterizedTest
    @CsvSource({
        "'',                        NONE,",
        "aA,                        ASKED, A",
        "aA uA,                     NONE,",
        "aA fA0,                    FIXED, A",
        "aA fA0 fA1,                FIXED, A",
        "aA fA0 fA1 eA0,            FIXED, A",
        "aA fA0 fA1 eA0 eA1,        EMPTY, A",
        "aA fA0 eA0 fA1 eA1,        EMPTY, A",
        // There is no way back.
        "aA fA0 uA,                 FIXED, A",
        "aA fA0 fA1 eA0 eA1 uA,     EMPTY, A",
        // What comes under a request that was undone counts for nothing.
        "aA uA fA0 fA1 eA0 eA1,     NONE,",
        "aA uA aB fA0,              ASKED, B",
        "aA uA fA0 aB fB0 fB1,      FIXED, B",
        // What is asked while another stands counts for nothing, also later.
        "aA aB,                     ASKED, A",
        "aA aB fB0,                 ASKED, A",
        "aA aB uB,                  ASKED, A",
        "aA aB uA,                  NONE,",
        "aA aB uA fB0,              NONE,",
        "aA fA0 fA1 eA0 eA1 aB,     EMPTY, A",
        // A coordinator that has not fixed cannot be empty, and there are two of them.
        "aA eA0 eA1,                ASKED, A",
        "aA fA0 eA0 eA0,            FIXED, A",
        "aA fA2 eA2,                ASKED, A",
        "uA aA,                     ASKED, A",
        // Coordinators that tell each other are flushed when all are empty.
        "sA fA0 fA1 eA0 eA1,             FIXED, A",
        "sA fA0 fA1 eA0 eA1 wA0 wA0,     FIXED, A",
        "sA fA0 fA1 eA0 wA0 eA1 wA1,     FIXED, A",
        "sA fA0 fA1 eA0 eA1 wA0 wB1,     FIXED, A",
        "sA fA0 fA1 eA0 eA1 wA0 wA1,     EMPTY, A",
        "aA fA0 fA1 wA0 wA1,             FIXED, A",
    })
    void shouldFollowFromTheOrderOfEvents(String events, CutoverStage stage, String request) {
        Cutover cutover = fold(events(events));

        assertThat(cutover.stage()).isEqualTo(stage);
        assertThat(cutover.request().map(Asked::request).orElse(null)).isEqualTo(request);
    }

    @Test
    void shouldKeepTheFirstPositionsOfACoordinator() {
        Cutover cutover = fold(List.of(
                new Asked("A", "b", COORDINATORS, false),
                new Fixed("A", 1, Map.of("documents", 7L)),
                new Fixed("A", 1, Map.of("documents", 9L))));

        assertThat(cutover.positions()).isEqualTo(Map.of(1, Map.of("documents", 7L)));
        assertThat(cutover.coordinatorsToFix()).isEqualTo(1);
        assertThat(cutover.coordinatorsLeft()).isEqualTo(2);
    }

    @Test
    void shouldTellWhenItsStageWasReached() {
        Cutover asked = Cutover.NONE.with(new Asked("A", "b", COORDINATORS, false), 100);
        Cutover fixed = asked.with(fixed("A", 0), 200).with(fixed("A", 1), 300);

        assertThat(asked.sinceMillis()).isEqualTo(100);
        assertThat(fixed.sinceMillis()).isEqualTo(200);
        assertThat(fixed.with(new Empty("A", 0, 0), 400)
                        .with(new Empty("A", 1, 0), 500)
                        .sinceMillis())
                .isEqualTo(500);
    }

    /** Whoever has read less than others is behind them, and no more. */
    @Test
    void shouldNeverTakeBackWhatABeginningOfTheEventsTold() {
        for (int seed = 0; seed < 2_000; seed++) {
            List<MigrationEvent> events = drawn(new Random(seed));
            boolean hasFixed = false;
            Set<String> undone = new HashSet<>();
            for (int read = 0; read <= events.size(); read++) {
                Cutover cutover = fold(events.subList(0, read));

                boolean isFixed = cutover.stage().compareTo(CutoverStage.FIXED) >= 0;
                assertThat(isFixed || !hasFixed)
                        .describedAs("seed %d: no way back", seed)
                        .isTrue();
                hasFixed = isFixed;
                assertThat(cutover.undone()).containsAll(undone);
                undone.addAll(cutover.undone());
                cutover.request().ifPresent(standing -> assertThat(cutover.isUndone(standing.request()))
                        .isFalse());
            }
        }
    }

    /** The rules, each said by all events at once instead of one after the other. */
    @Test
    void shouldAgreeWithARuleForEachStage() {
        Set<CutoverStage> met = EnumSet.noneOf(CutoverStage.class);
        for (int seed = 0; seed < 5_000; seed++) {
            List<MigrationEvent> events = drawn(new Random(seed));
            Cutover cutover = fold(events);

            String standing = standing(events);
            assertThat(cutover.request().map(Asked::request).orElse(null))
                    .describedAs("seed %d: %s", seed, events)
                    .isEqualTo(standing);
            assertThat(cutover.stage()).describedAs("seed %d: %s", seed, events).isEqualTo(stage(events, standing));
            met.add(cutover.stage());
        }
        assertThat(met).containsExactlyInAnyOrder(CutoverStage.values());
    }

    /** The first request that is asked while none stands, and is not undone before its first coordinator has fixed. */
    private static @Nullable String standing(List<MigrationEvent> events) {
        int from = 0;
        while (true) {
            int asked = indexOf(events, from, event -> event instanceof Asked);
            if (asked < 0) {
                return null;
            }
            String request = events.get(asked).request();
            int undone = indexOf(
                    events,
                    asked,
                    event -> event instanceof Undone && event.request().equals(request));
            int fixed = indexOf(events, asked, event -> isFixed(event, request));
            if (undone < 0 || (fixed >= 0 && fixed < undone)) {
                return request;
            }
            from = undone + 1;
        }
    }

    private static CutoverStage stage(List<MigrationEvent> events, @Nullable String standing) {
        if (standing == null) {
            return CutoverStage.NONE;
        }
        int asked = indexOf(
                events, 0, event -> event instanceof Asked && event.request().equals(standing));
        Set<Integer> empty = new HashSet<>();
        boolean hasFixed = false;
        for (int i = asked; i < events.size(); i++) {
            if (isFixed(events.get(i), standing)) {
                hasFixed = true;
                int coordinator = ((Fixed) events.get(i)).coordinator();
                if (indexOf(events, i, event -> event.equals(new Empty(standing, coordinator, 0))) >= 0) {
                    empty.add(coordinator);
                }
            }
        }
        return empty.size() == COORDINATORS ? CutoverStage.EMPTY : hasFixed ? CutoverStage.FIXED : CutoverStage.ASKED;
    }

    private static boolean isFixed(MigrationEvent event, String request) {
        return event instanceof Fixed fixed && fixed.request().equals(request) && fixed.coordinator() < COORDINATORS;
    }

    private static int indexOf(List<MigrationEvent> events, int from, Predicate<MigrationEvent> sought) {
        for (int i = from; i < events.size(); i++) {
            if (sought.test(events.get(i))) {
                return i;
            }
        }
        return -1;
    }

    /** Each request is asked once, as each has an id of its own. */
    private static List<MigrationEvent> drawn(Random random) {
        List<MigrationEvent> events = new ArrayList<>();
        List<String> toAsk = new ArrayList<>(List.of("A", "B", "C"));
        int count = random.nextInt(14);
        for (int i = 0; i < count; i++) {
            String request = String.valueOf("ABC".charAt(random.nextInt(3)));
            int coordinator = random.nextInt(COORDINATORS);
            switch (random.nextInt(5)) {
                case 0 -> events.add(new Undone(request, "u" + i));
                case 1 -> events.add(new Empty(request, coordinator, 0));
                case 2, 3 -> events.add(fixed(request, coordinator));
                default -> {
                    if (!toAsk.isEmpty()) {
                        events.add(new Asked(toAsk.remove(0), "b", COORDINATORS, false));
                    }
                }
            }
        }
        return events;
    }

    private static Fixed fixed(String request, int coordinator) {
        return new Fixed(request, coordinator, Map.of("documents", 5L));
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
            String request = event.substring(1, 2);
            int coordinator = event.length() > 2 ? event.charAt(2) - '0' : 0;
            events.add(
                    switch (event.charAt(0)) {
                        case 'a' -> new Asked(request, "b", COORDINATORS, false);
                        case 's' -> new Asked(request, "b", COORDINATORS, true);
                        case 'w' -> new Flushed(request, coordinator);
                        case 'u' -> new Undone(request, "somebody");
                        case 'f' -> fixed(request, coordinator);
                        default -> new Empty(request, coordinator, 0);
                    });
        }
        return events;
    }
}
