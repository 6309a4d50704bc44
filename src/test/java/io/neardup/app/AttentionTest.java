package io.neardup.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.app.Attention.Kind;
import io.neardup.app.Attention.Observed;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AttentionTest {
    private static final int EVERY_SECONDS = 5;

    private final Attention attention = new Attention();
    private int seconds;
    private long unique;
    private long duplicates;
    private long bounded;
    private long pending;
    private double oldestSeconds;
    private long pairs;
    private int instances = 2;

    private Map<Kind, String> look() {
        seconds += EVERY_SECONDS;
        return attention.notes(observed());
    }

    private Observed observed() {
        long nanos = Long.MAX_VALUE - 5 + TimeUnit.SECONDS.toNanos(seconds);
        return new Observed(nanos, unique, duplicates, 3, bounded, 0, pending, oldestSeconds, pairs, instances);
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

    /** Also where a few leave. */
    @Test
    void shouldTellThatDocumentsWait() {
        pending = 18_535;

        assertThat(after(55)).isEmpty();
        unique += 7;
        assertThat(after(5).get(Kind.STALLED))
                .startsWith("of 18,535 records in flight the oldest has waited for 60 s; in the last minute 7 left");

        oldestSeconds = 1;
        assertThat(look()).isEmpty();
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
        assertThat(look().get(Kind.STALLED)).contains("; 10,000 pairs were compared: more documents that are alike");
        unique += 101;
        assertThat(look().get(Kind.STALLED)).endsWith("; look at the brokers");
    }

    @Test
    void shouldGiveWhatWaitedForBrokersTimeToLeave() {
        pending = 1;
        oldestSeconds = 500;

        assertThat(after(30)).isEmpty();
        assertThat(look()).containsOnlyKeys(Kind.STALLED);
    }

    @Test
    void shouldTellNothingOfAServiceWithoutWork() {
        assertThat(look()).isEmpty();
        for (int i = 0; i < 20; i++) {
            assertThat(look()).isEmpty();
        }
    }

    @Test
    void shouldForgetWhatWasBeforeAnotherBeginning() {
        look();
        duplicates += 5_000;

        attention.restart(observed());

        assertThat(look()).isEmpty();
    }

    @Test
    void shouldCountWhatLeftBetweenARestartAndTheFirstLook() {
        attention.restart(observed());
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
