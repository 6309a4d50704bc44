package io.neardup.streams.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.streams.metrics.ServiceCounts.WaitingSources;
import io.neardup.streams.metrics.ServiceCounts.WaitingSources.Most;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingSourcesTest {
    private final WaitingSources waiting = new WaitingSources();
    private final Object first = new Object();
    private final Object second = new Object();

    @Test
    void shouldTellTheSourceThatMostOfAllTasksHave() {
        waiting.set(first, List.of("a", "a", "b", "", "", "", ""));
        waiting.set(second, List.of("b", "b"));

        assertThat(waiting.most()).contains(new Most("b", 3, 9));
    }

    @Test
    void shouldKeepOnlyWhatATaskFoundLast() {
        waiting.set(first, List.of("a"));
        waiting.set(first, List.of("b"));
        assertThat(waiting.most()).contains(new Most("b", 1, 1));

        waiting.remove(first);
        waiting.set(second, List.of(""));
        assertThat(waiting.most()).isEmpty();
    }
}
