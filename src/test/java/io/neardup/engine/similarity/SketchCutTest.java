package io.neardup.engine.similarity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SketchCutTest {
    private static final int VALUES = 224;

    /** It may be wider than the similarity asks for, by a step; narrower would lose matches. */
    @ParameterizedTest
    @ValueSource(doubles = {0.3, 0.7, 0.95, 1})
    void shouldBeTheCutOfTheSimilarityOrALittleWider(double threshold) {
        SketchCut cut = SketchCut.of(threshold, similarity -> BitSketch.differencesMax(VALUES, similarity));

        assertThat(cut.differencesMax()).isEqualTo(BitSketch.differencesMax(VALUES, threshold));
        for (int i = 0; i <= 1_000; i++) {
            double similarity = threshold + i * (1 - threshold) / 1_000;
            double stepBelow = Math.max(threshold, similarity - (1 - threshold) / 60);
            assertThat(cut.differencesMax(similarity))
                    .isBetween(
                            BitSketch.differencesMax(VALUES, similarity), BitSketch.differencesMax(VALUES, stepBelow));
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.001, 0.7, 1})
    void shouldCutNothingWhereNoSketchTells(double similarity) {
        assertThat(SketchCut.NONE.differencesMax(similarity)).isEqualTo(Integer.MAX_VALUE);
    }
}
