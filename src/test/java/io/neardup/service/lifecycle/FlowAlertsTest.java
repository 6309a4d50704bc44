package io.neardup.service.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.service.lifecycle.Alerts.Alert;
import io.neardup.service.lifecycle.Alerts.Kind;
import io.neardup.service.lifecycle.FlowAlerts.Observed;
import io.neardup.streams.metrics.ServiceCounts.WaitingSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FlowAlertsTest {
    private static final int EVERY_SECONDS = 5;

    private final FlowAlerts flow = new FlowAlerts();
    private int seconds;
    private long unique;
    private long duplicates;
    private long bounded;
    private long pending;
    private double oldestSeconds;
    private long pairs;
    private int instances = 2;
    private Optional<WaitingSource> waiting = Optional.empty();

    private Map<Kind, String> look() {
        seconds += EVERY_SECONDS;
        return flow.notes(observed()).stream().collect(Collectors.toMap(Alert::kind, Alert::text));
    }

    private Observed observed() {
        long nanos = Long.MAX_VALUE - 5 + TimeUnit.SECONDS.toNanos(seconds);
        return new Observed(
                nanos, unique, duplicates, 3, bounded, 0, pending, oldestSeconds, pairs, instances, waiting);
    }

    /** Takes the same figures for so long; what is told then. */
    private Map<Kind, String> after(int secondsMore) {
        Map<Kind, String> notes = Map.of();
        for (int i = 0; i < secondsMore; i += EVERY_SECONDS) {
            oldestSeconds += pending > 0 ? EVERY_SECONDS : 0;
            notes = look();
        }
        return notes;
    }

    /** What is told after 20 s in which many are compared and few leave. */
    private Map<Kind, String> afterAFlood() {
        pending = 10_000;
        look();
        after(15);
        pairs += 10_000;
        return after(5);
    }

    /** Also where a few leave. */
    @Test
    void shouldTellThatDocumentsWait() {
        pending = 18_535;

        for (int i = 0; i < 5; i++) {
            assertThat(after(10)).isEmpty();
            unique += 1;
        }
        assertThat(after(5)).isEmpty();
        unique += 2;
        assertThat(after(5).get(Kind.STALLED))
                .startsWith("of 18,535 records in flight the oldest has waited for 60 s; in the last minute 7 left");

        oldestSeconds = 1;
        assertThat(look()).isEmpty();
    }

    /** For as long as one answer that was lost is waited for, that is no fault. */
    @Test
    void shouldTellSoonThatNoneLeavesAtAll() {
        pending = 7;
        look();

        assertThat(after(15)).isEmpty();
        assertThat(after(5).get(Kind.WAITING))
                .isEqualTo("of 7 records in flight the oldest has waited for 20 s; in the last 20 s 0 left, and 0 times"
                        + " one asked again; look whether the other instances and the brokers are well");

        unique += 1;
        assertThat(look()).isEmpty();
        unique += 6;
        pending = 0;
        oldestSeconds = 0;
        assertThat(after(60)).isEmpty();
    }

    @Test
    void shouldTellSoonWhoFloods() {
        pending = 10_000;
        look();
        after(15);
        unique += 50;
        pairs += 10_000;

        assertThat(after(5).get(Kind.WAITING))
                .startsWith("more documents that are alike come in than can be compared: hold back the producer")
                .contains("in the last 20 s 50 left", ", and 10,000 pairs were compared");
        waiting = Optional.of(new WaitingSource("flood.example", 1_000, 1_024));
        pairs += 10_000;
        assertThat(after(5).get(Kind.WAITING))
                .contains(
                        "hold back the source flood.example, of which 1,000 of 1,024 are that wait; of 10,000 records");
    }

    @Test
    void shouldTellWhetherItIsComparingThatTakesTheTime() {
        pending = 20_000;
        oldestSeconds = 60;
        after(60);

        pairs += 9_999;
        assertThat(look().get(Kind.STALLED)).endsWith("; look whether the other instances and the brokers are well");
        instances = 1;
        assertThat(look().get(Kind.STALLED)).endsWith("; look at the brokers");
        pairs += 1;
        assertThat(look().get(Kind.STALLED)).startsWith("more documents that are alike come in");
        unique += 101;
        assertThat(look().get(Kind.STALLED)).endsWith("; look at the brokers");
    }

    @Test
    void shouldGiveWhatWaitedForBrokersTimeToLeave() {
        pending = 1;
        oldestSeconds = 500;

        assertThat(after(20)).isEmpty();
        assertThat(after(10)).containsOnlyKeys(Kind.WAITING);
        assertThat(look()).containsOnlyKeys(Kind.STALLED);
    }

    @Test
    void shouldForgetWhatWasBeforeAnotherBeginning() {
        look();
        duplicates += 5_000;

        flow.restart(observed());

        assertThat(look()).isEmpty();
    }

    /** A flood may go on so long that a thread loses its tasks: what waits is taken anew then, and so is its age. */
    @Test
    void shouldTellOfAFloodUntilItIsKnownWhetherItGoesOn() {
        afterAFlood();

        seconds += 10;
        flow.restart(observed());
        oldestSeconds = 0;

        String earlier = "before tasks of this instance were given up or moved: more documents that are alike";
        assertThat(flow.kept(observed().nanos()).map(Alert::text).orElse("")).startsWith("10 s ago, " + earlier);
        assertThat(look().get(Kind.WAITING)).startsWith("15 s ago, " + earlier).contains("10,000 pairs were compared");
        pending = 0;
        assertThat(after(55)).isNotEmpty();
        assertThat(look()).isEmpty();
    }

    @Test
    void shouldNotTellOfAFloodThatWasOverBeforeTasksMoved() {
        afterAFlood();
        oldestSeconds = 0;
        pending = 0;
        look();

        flow.restart(observed());

        assertThat(look()).isEmpty();
    }

    @Test
    void shouldCountWhatLeftBetweenARestartAndTheFirstLook() {
        flow.restart(observed());
        duplicates += 1_000;

        assertThat(look()).containsOnlyKeys(Kind.DUPLICATES);
    }

    @Test
    void shouldTellThatNearlyAllAreDuplicates() {
        look();
        unique += 200;
        duplicates += 799;
        assertThat(look()).isEmpty();

        duplicates += 1;
        assertThat(look().get(Kind.DUPLICATES)).startsWith("80% of the 1,000 records that left in the last minute");
        assertThat(after(70)).isEmpty();
    }

    @Test
    void shouldTellThatManyLookAlike() {
        look();
        unique += 999;
        bounded += 999;
        assertThat(look()).isEmpty();

        unique += 1;
        assertThat(look().get(Kind.BOUNDED)).contains("1,000 unique documents", "999 times a bound");

        unique += 10_000;
        assertThat(look()).isEmpty();
    }
}
