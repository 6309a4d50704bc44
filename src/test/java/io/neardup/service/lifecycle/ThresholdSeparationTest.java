package io.neardup.service.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.similarity.Valley;
import io.neardup.streams.metrics.NearestSimilarities.Counted;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ThresholdSeparationTest {
    private static String sentences(IntUnaryOperator documents) {
        Counted counted = new Counted(
                counts(at -> at < 70 ? documents.applyAsInt(at) : 0),
                counts(at -> at < 70 ? 0 : documents.applyAsInt(at)));
        return new ThresholdSeparation(0.7, 0.58, null).sentences(counted);
    }

    private static List<Long> counts(IntUnaryOperator documents) {
        return IntStream.range(0, Valley.BINS)
                .mapToObj(at -> (long) documents.applyAsInt(at))
                .toList();
    }

    @Test
    void shouldSayThatManyLieAtBothSidesOfTheThreshold() {
        assertThat(sentences(at -> 100))
                .startsWith("Many documents lie at both sides of the threshold: 500 within 0.05 below it, and 500");
    }

    @Test
    void shouldSayNothingOfFewDocumentsOrASmallShareOfThem() {
        assertThat(sentences(at -> 5)).isEmpty();
        assertThat(sentences(at -> at < 90 ? 100 : 10_000)).isEmpty();
        assertThat(sentences(at -> at < 58 ? 10_000 : 100))
                .as("what is not seen")
                .isNotEmpty();
        assertThat(sentences(at -> at < 70 ? 100 : 0)).isEmpty();
    }
}
