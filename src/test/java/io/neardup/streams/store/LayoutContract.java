package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every layout that is kept must do; a subclass names its own in a static method {@code pinned}. */
abstract class LayoutContract {

    /**
     * A value of a layout, pinned to its bytes.
     *
     * @param hex the bytes, of which blanks do not count
     * @param draw other values of the layout
     */
    record Pinned<T>(Layout<T> layout, T value, String hex, Function<RandomValues, T> draw) {
        byte[] bytes() {
            return Hostile.bytes(hex);
        }

        @Override
        public String toString() {
            return String.valueOf(value);
        }
    }

    @ParameterizedTest
    @MethodSource("pinned")
    <T> void shouldReadWhatWasWritten(Pinned<T> pinned) {
        RandomValues values = new RandomValues(1);
        for (int i = 0; i < 500; i++) {
            T value = pinned.draw().apply(values);
            assertThat(pinned.layout().decode(pinned.layout().encode(value))).isEqualTo(value);
        }
    }

    @ParameterizedTest
    @MethodSource("pinned")
    <T> void shouldKeepItsLayout(Pinned<T> pinned) {
        assertThat(pinned.layout().encode(pinned.value())).isEqualTo(pinned.bytes());
        assertThat(pinned.layout().decode(pinned.bytes())).isEqualTo(pinned.value());
    }

    @ParameterizedTest
    @MethodSource("pinned")
    <T> void shouldRefuseAnotherVersionAndWhatIsCutOff(Pinned<T> pinned) {
        Hostile.checkVersion(pinned.bytes(), pinned.layout()::decode);
        Hostile.checkTruncation(pinned.bytes(), pinned.layout()::decode);
    }

    @ParameterizedTest
    @MethodSource("pinned")
    <T> void shouldReadAnyBytesOrRefuseThem(Pinned<T> pinned) {
        RandomValues values = new RandomValues(3);
        Hostile.checkMutations(2, () -> pinned.layout().encode(pinned.draw().apply(values)), pinned.layout()::decode);
    }
}
