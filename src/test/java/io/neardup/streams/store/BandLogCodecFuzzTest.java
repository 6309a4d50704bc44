package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.MethodSource;

class BandLogCodecFuzzTest {

    @MethodSource("inputs")
    @FuzzTest
    void shouldReadAnyBytesOrRefuseThem(byte[] bytes) {
        Hostile.checkAny(bytes, BandLogCodec::decodeKey, BandLogCodec::encode);
        Hostile.checkAny(bytes, BandLogCodec::decodeDocuments, BandLogCodec::encode);
        Hostile.checkAny(bytes, BandLogCodec::decodeDead, BandLogCodec::encodeDead);
        Hostile.decodesOrRefuses(bytes, BandLogCodec::documentCount);
    }

    @Test
    void shouldBeginWithInputsOfTheLayout() {
        assertThat(BandLogCodecTest.layouts()).isNotEmpty().allSatisfy(layout -> assertThat(
                        layout.decode().apply(layout.exampleBytes()))
                .isNotNull());
        broken().forEach(input -> Hostile.isRefusedBehindItsVersion(input, List.of(BandLogCodec::decodeDocuments)));
    }

    static Stream<byte[]> inputs() {
        return Stream.concat(BandLogCodecTest.layouts().stream().map(LayoutContract.Layout::exampleBytes), broken());
    }

    /** Of an age: no documents, more bands or refusals than there is room for, and a refusal by a band of none. */
    private static Stream<byte[]> broken() {
        return Stream.of(
                        "07 00 00",
                        "07 80ade204 01 03 05 00",
                        "07 01 01 03 05 ffffffff7f 0000000000000007",
                        "07 00 01 03 05 01 00")
                .map(tail -> Hostile.bytes(BandLogCodec.VERSION, tail));
    }
}
