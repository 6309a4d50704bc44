package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every layout that is kept must do; a subclass names its own in a static method {@code layouts}. */
abstract class LayoutContract {

    /**
     * One of the layouts.
     *
     * @param example a value, pinned to {@code hex}
     */
    record Layout<T>(
            String name,
            Function<T, byte[]> encode,
            Function<byte[], T> decode,
            T example,
            String hex,
            Function<RandomValues, T> draw) {
        /** One of which only the example is drawn so far. */
        static <T> Layout<T> of(
                String name, Function<T, byte[]> encode, Function<byte[], T> decode, T example, String hex) {
            return new Layout<>(name, encode, decode, example, hex, values -> example);
        }

        Layout<T> drawn(Function<RandomValues, T> by) {
            return new Layout<>(name, encode, decode, example, hex, by);
        }

        Supplier<byte[]> encoded(RandomValues values) {
            return () -> encode.apply(draw.apply(values));
        }

        byte[] exampleBytes() {
            return Hostile.bytes(hex);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    @ParameterizedTest
    @MethodSource("layouts")
    <T> void shouldReadWhatWasWritten(Layout<T> layout) {
        RandomValues values = new RandomValues(1);
        for (int i = 0; i < 2_000; i++) {
            T value = layout.draw().apply(values);
            assertThat(layout.decode().apply(layout.encode().apply(value))).isEqualTo(value);
        }
    }

    @ParameterizedTest
    @MethodSource("layouts")
    <T> void shouldKeepItsLayout(Layout<T> layout) {
        assertThat(layout.encode().apply(layout.example())).isEqualTo(layout.exampleBytes());
        assertThat(layout.decode().apply(layout.exampleBytes())).isEqualTo(layout.example());
    }

    @ParameterizedTest
    @MethodSource("layouts")
    <T> void shouldRefuseAnotherVersion(Layout<T> layout) {
        Hostile.checkVersion(layout.exampleBytes(), layout.decode());
    }

    @ParameterizedTest
    @MethodSource("layouts")
    <T> void shouldRefuseWhatIsCutOff(Layout<T> layout) {
        Hostile.checkTruncation(layout.exampleBytes(), layout.decode());
    }

    @ParameterizedTest
    @MethodSource("layouts")
    <T> void shouldReadAnyBytesOrRefuseThem(Layout<T> layout) {
        Hostile.checkMutations(2, layout.encoded(new RandomValues(3)), layout.decode());
    }
}
