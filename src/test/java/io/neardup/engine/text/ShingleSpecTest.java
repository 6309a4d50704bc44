package io.neardup.engine.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShingleSpecTest {

    @ParameterizedTest
    @CsvSource({
        "char:9, CHAR, 9, 9, char:9",
        "word:64, WORD, 64, 64, word:64",
        "word:1..8, WORD, 1, 8, word:1..8",
        "word:2..2, WORD, 2, 2, word:2",
        "stopword:3, STOPWORD, 3, 3, stopword:3"
    })
    void shouldReadSpecs(String written, ShingleSpec.Kind kind, int min, int max, String name) {
        ShingleSpec spec = ShingleSpec.of(written);

        assertThat(spec).isEqualTo(new ShingleSpec(kind, min, max)).hasToString(name);
        assertThat(spec.usesStopWords()).isEqualTo(kind == ShingleSpec.Kind.STOPWORD);
        assertThat(spec.version()).isEqualTo(1);
        assertThat(ShingleSpec.isValid(written)).isTrue();
        assertThat(Shingler.of(written, 0).name()).isEqualTo(name);
    }

    @Test
    void shouldNameWhatIsExpected() {
        assertThat(ShingleSpec.isValid("word:1..9")).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ShingleSpec.of("word:1..9"))
                .withMessage(
                        "Shingle 'word:1..9': expected char:k or word:k with k from 1 to 64, word:min..max with at most"
                                + " 8 lengths, or stopword:k with k from 2 to 64, such as char:9");
    }
}
