package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.MethodSource;

class StateCodecFuzzTest {

    @MethodSource("inputs")
    @FuzzTest
    void shouldReadAnyBytesOrRefuseThem(byte[] bytes) {
        Hostile.checkAny(bytes, StateCodec::decodeDecision, StateCodec::encode);
        Hostile.checkAny(bytes, StateCodec::decodeBlock, StateCodec::encode);
        Hostile.checkAny(bytes, StateCodec::decodeOriginal, StateCodec::encode);
        Hostile.checkAny(bytes, StateCodec::decodePosition, StateCodec::encode);
        Hostile.checkAny(bytes, StateCodec::decodeExpiry, StateCodec::encode);
        Hostile.checkAny(bytes, StateCodec::decodeTombstone, StateCodec::encode);
        Hostile.checkAny(bytes, StateCodec::decodeHandover, StateCodec::encode);
        Hostile.checkAny(bytes, StateCodec::decodeEpoch, StateCodec::encodeEpoch);
        Hostile.checkAny(bytes, StateCodec::decodeRepeated, StateCodec::encodeRepeated);
    }

    @Test
    void shouldBeginWithInputsOfTheLayout() {
        List<Function<byte[], ?>> texts =
                List.of(StateCodec::decodeDecision, StateCodec::decodeBlock, StateCodec::decodeOriginal);
        assertThat(StateCodecTest.layouts()).isNotEmpty().allSatisfy(layout -> assertThat(
                        layout.decode().apply(layout.exampleBytes()))
                .isNotNull());
        broken().forEach(input -> Hostile.isRefusedBehindItsVersion(input, texts));
    }

    static Stream<byte[]> inputs() {
        return Stream.concat(StateCodecTest.layouts().stream().map(LayoutContract.Layout::exampleBytes), broken());
    }

    /** A text that is not as long as it says, and one that is not in UTF-8. */
    private static Stream<byte[]> broken() {
        return Stream.of("ffffffffffffffff7f", "02 c080 00").map(tail -> Hostile.bytes(StateCodec.VERSION, tail));
    }
}
