package io.neardup.streams.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.streams.metrics.TopSources.SourceCount;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TopSourcesTest {
    private final TopSources sources = new TopSources();

    @Test
    void shouldTellTheSourcesWithTheMostDuplicatesAndTakeWhatOthersCounted() {
        sources.add("a", 1);
        sources.add("b", 5);
        sources.add("c", 3);
        sources.add("a", 1);
        assertThat(sources.top(2)).containsExactly(new SourceCount("b", 5), new SourceCount("c", 3));
        TopSources all = new TopSources();
        all.add("a", 1);
        all.takeAll(sources);
        assertThat(all.top(2)).containsExactly(new SourceCount("b", 5), new SourceCount("a", 3));
        assertThat(sources.top(10)).isEmpty();
    }

    @Test
    void shouldFindTheMostFrequentAmongMoreThanItCanCount() {
        Random random = new Random(7);
        long others = 100_000;
        for (int i = 0; i < others; i++) {
            sources.add("other-" + random.nextInt(50_000), 1);
            if (i % 20 == 0) {
                sources.add("large", 1);
            }
        }
        long all = others + others / 20;

        assertThat(sources.top(TopSources.MAX)).hasSize(TopSources.MAX);
        SourceCount first = sources.top(1).get(0);
        assertThat(first.name()).isEqualTo("large");
        assertThat(first.duplicates()).isBetween(others / 20, others / 20 + all / TopSources.MAX);
    }
}
