package io.neardup.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.neardup.protocol.Decision;
import io.neardup.protocol.NumberBlock;
import io.neardup.protocol.Original;
import io.neardup.protocol.Ref;
import io.neardup.sketch.Evidence;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StateCodecTest {

    /**
     * One of the layouts.
     *
     * @param example a value, pinned to {@code hex}
     */
    record Layout<T>(
            String name,
            Function<T, byte[]> encode,
            Function<byte[], T> decode,
            Function<Draws, T> draw,
            T example,
            String hex) {

        Supplier<byte[]> encoded(Draws draws) {
            return () -> encode.apply(draw.apply(draws));
        }

        byte[] exampleBytes() {
            return HexFormat.of().parseHex(hex.replace(" ", ""));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Layout<?>> layouts() {
        return List.of(
                new Layout<>(
                        "block",
                        StateCodec::encode,
                        StateCodec::decodeBlock,
                        draws -> new NumberBlock(
                                draws.text(),
                                draws.upTo(Long.MAX_VALUE),
                                draws.upTo(Long.MAX_VALUE),
                                draws.upTo(Long.MAX_VALUE)),
                        new NumberBlock("docs", 3, 300, 1_000),
                        "01 04646f6373 03 ac02 e807"),
                new Layout<>(
                        "duplicate",
                        StateCodec::encode,
                        StateCodec::decodeDecision,
                        draws -> new Decision.Duplicate(draws.ref(), draws.text(), draws.similarity()),
                        new Decision.Duplicate(new Ref(3, 300), "ü", 0.75),
                        "01 03 ac02 02c3bc 3fe8000000000000"),
                new Layout<>(
                        "original",
                        StateCodec::encode,
                        StateCodec::decodeOriginal,
                        draws -> new Original(draws.text(), draws.evidence()),
                        new Original("ü", Evidence.of(new byte[] {9, 8})),
                        "01 02c3bc 020908"));
    }

    @ParameterizedTest
    @MethodSource("layouts")
    <T> void shouldReadWhatWasWritten(Layout<T> layout) {
        Draws draws = new Draws(1);
        for (int i = 0; i < 2_000; i++) {
            T value = layout.draw().apply(draws);
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
        Hostile.checkMutations(2, layout.encoded(new Draws(3)), layout.decode());
    }

    @Test
    void shouldSayWhichBytesAreBroken() {
        byte[] cut = {StateCodec.VERSION, 3, 'a'};

        assertThat(catchThrowable(() -> StateCodec.decodeOriginal(cut)))
                .isInstanceOf(WireException.class)
                .hasMessage("an original, byte 2 of 3: expected at most 1 more, found 3");
    }
}
