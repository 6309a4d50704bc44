package io.neardup.service.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.streams.metrics.Sources.Repeated;
import io.neardup.streams.metrics.Sources.Source;
import io.neardup.streams.metrics.Sources.Vanishing;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SourceAlertsTest {
    private final SourceAlerts alerts = new SourceAlerts();

    private String note(int others, int unique, @Nullable Double before, Repeated... repeats) {
        return alerts.notes(List.of(source("x.org", others, unique, before, repeats)))
                .findFirst()
                .orElseThrow();
    }

    private static Source source(String name, int others, int unique, @Nullable Double before, Repeated... repeats) {
        Vanishing vanishing = new Vanishing(
                0, 400, others, 400 - others - unique, unique, before, repeats.length == 0 ? null : repeats[0]);
        long duplicates = 400L - unique;
        return new Source(
                name, 900, 0, duplicates, duplicates - others, others, List.of(repeats), 5L, List.of(), vanishing);
    }

    @Test
    void shouldTellWhomAMirrorRepeats() {
        assertThat(note(398, 2, null, new Repeated("agency.com", 390), new Repeated("y", 8)))
                .startsWith("the source x.org vanishes: of 400 documents in a row 99% repeat other sources, and 0% are"
                        + " unique; most of what it repeats is of agency.com: it is a mirror of that")
                .contains("tune boilerplate");
    }

    @Test
    void shouldTellMirrorsFromThoseThatRepeatManyOrThemselves() {
        assertThat(note(390, 2, .625, new Repeated("a", 200), new Repeated("b", 190)))
                .contains("are unique, before 63%; what it repeats is of several, most of a: it collects");
        assertThat(note(10, 2, .5, new Repeated("a", 10))).contains("; it repeats itself: its producer sends the same");
        assertThat(note(0, 0, .5)).contains("; it repeats itself: ");
    }

    @Test
    void shouldNameThreeAtATime() {
        List<Source> five = IntStream.range(0, 5)
                .mapToObj(i -> source("s" + i, 400, 0, null, new Repeated("a", 400)))
                .toList();

        assertThat(alerts.notes(five)).hasSize(4).last().isEqualTo("2 more sources vanish; /api/sources names them");
        assertThat(alerts.notes(five.subList(0, 3))).hasSize(3);
        assertThat(alerts.notes(List.of())).isEmpty();
    }
}
