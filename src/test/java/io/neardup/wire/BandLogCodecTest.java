package io.neardup.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.lsh.BandKeys;
import io.neardup.protocol.Ref;
import io.neardup.wire.BandLogCodec.Indexed;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BandLogCodecTest {

    /**
     * One of the layouts.
     *
     * @param draw a value from draws of any seed
     * @param example a value, pinned to {@code hex}
     */
    record Layout<T>(
            String name,
            Function<T, byte[]> encode,
            Function<byte[], T> decode,
            IntFunction<T> draw,
            T example,
            String hex) {

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
                        "key of documents",
                        BandLogCodec::encode,
                        BandLogCodec::decodeKey,
                        seed -> new BandLogCodec.Key(new Draws(seed).upTo(Long.MAX_VALUE), seed % 2 == 0),
                        new BandLogCodec.Key(300, false),
                        "01 00 ac02"),
                new Layout<>(
                        "key of the dead",
                        BandLogCodec::encode,
                        BandLogCodec::decodeKey,
                        seed -> new BandLogCodec.Key(new Draws(seed).upTo(Long.MAX_VALUE), seed % 2 == 0),
                        new BandLogCodec.Key(5, true),
                        "01 01 05"),
                new Layout<>(
                        "documents",
                        BandLogCodec::encodeDocuments,
                        BandLogCodec::decodeDocuments,
                        BandLogCodecTest::drawDocuments,
                        List.of(
                                new Indexed(new Ref(3, 300), BandKeys.of(new long[] {1, -2}), List.of()),
                                new Indexed(new Ref(3, 301), BandKeys.of(new long[] {7, 8}), List.of(1))),
                        "01 02 02 03 ac02 00 0000000000000001 fffffffffffffffe"
                                + " 03 ad02 01 01 0000000000000007 0000000000000008"),
                new Layout<>(
                        "dead",
                        BandLogCodec::encodeDead,
                        BandLogCodec::decodeDead,
                        seed -> new Draws(seed).anyLong(),
                        0x8000_0000_0000_0001L,
                        "01 8000000000000001"));
    }

    private static List<Indexed> drawDocuments(int seed) {
        Draws draws = new Draws(seed);
        int bands = 1 + draws.upTo(30);
        return IntStream.rangeClosed(0, draws.upTo(BandLogCodec.BATCH_DOCUMENTS_MAX - 1))
                .mapToObj(i -> new Indexed(
                        draws.ref(),
                        BandKeys.of(IntStream.range(0, bands)
                                .mapToLong(band -> draws.anyLong())
                                .toArray()),
                        draws.listOf(() -> draws.upTo(bands - 1))))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("layouts")
    <T> void shouldReadWhatWasWritten(Layout<T> layout) {
        for (int seed = 0; seed < 500; seed++) {
            T value = layout.draw().apply(seed);
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
        // Loads the classes that a refusal needs: their bytes do not count.
        Hostile.checkTruncation(layout.exampleBytes(), layout.decode());
        int[] seed = {0};
        Hostile.checkMutations(2, () -> layout.encode().apply(layout.draw().apply(seed[0]++ % 500)), layout.decode());
    }

    @Test
    void shouldTellTheNumberOfDocumentsWithoutReadingThem() {
        for (int seed = 0; seed < 100; seed++) {
            List<Indexed> documents = drawDocuments(seed);
            assertThat(BandLogCodec.documentCount(BandLogCodec.encodeDocuments(documents)))
                    .isEqualTo(documents.size());
        }
    }

    @Test
    void shouldRefuseABatchOfNoneAndAKindItDoesNotKnow() {
        assertThatThrownBy(() -> BandLogCodec.decodeDocuments(new byte[] {1, 0, 0}))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("expected 1 to 64 documents, found 0");
        assertThatThrownBy(() -> BandLogCodec.decodeKey(new byte[] {1, 2, 0}))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("expected a record of kind 0 or 1, found 2");
    }
}
