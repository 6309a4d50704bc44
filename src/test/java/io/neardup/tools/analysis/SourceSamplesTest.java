package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.record.Document;
import io.neardup.record.RawText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SourceSamplesTest {

    @Test
    void shouldDrawFromTheWholeOfASource() {
        SourceSamples samples = samples(Long.MAX_VALUE);

        IntStream.range(0, 5_000).forEach(i -> samples.accept(document("north", String.valueOf(i))));
        samples.accept(document("", "of no source"));

        assertThat(samples.sources()).isEqualTo(1);
        assertThat(samples.passedOver()).isZero();
        List<String> drawn = new ArrayList<>(samples.texts()).get(0);
        assertThat(drawn).hasSize(SourceSamples.TEXTS_MAX).doesNotHaveDuplicates();
        assertThat(drawn.stream().mapToInt(Integer::parseInt).average().orElseThrow())
                .isBetween(2_000.0, 3_000.0);
    }

    @Test
    void shouldDrawFromTheFirstSources() {
        SourceSamples samples = samples(Long.MAX_VALUE);

        IntStream.range(0, SourceSamples.SOURCES_MAX + 7).forEach(i -> samples.accept(document("s" + i, "text")));

        assertThat(samples.sources()).isEqualTo(SourceSamples.SOURCES_MAX);
        assertThat(samples.passedOver()).isEqualTo(7);
    }

    /** Texts grow, so that those drawn later would take more room than those that they replace. */
    @Test
    void shouldHoldNoMoreTextThanItMay() {
        SourceSamples samples = samples(10_000);

        IntStream.range(0, 5_000).forEach(i -> samples.accept(document("north", "x".repeat(1 + i / 10))));

        long held = samples.texts().stream()
                .flatMap(List::stream)
                .mapToLong(String::length)
                .sum();
        assertThat(held).isBetween(10_000L, 10_500L);
        assertThat(samples.passedOver()).isPositive();
    }

    private static SourceSamples samples(long charsMax) {
        return new SourceSamples(1, document -> document.text().decode(), charsMax);
    }

    private static Document document(String source, String text) {
        return new Document("id", RawText.of(text), source);
    }
}
