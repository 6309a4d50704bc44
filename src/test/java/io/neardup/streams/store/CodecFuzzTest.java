package io.neardup.streams.store;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** All layouts of records and manifests at once: the version, their first byte, tells them apart. */
class CodecFuzzTest {

    @MethodSource("inputs")
    @FuzzTest
    void shouldReadAnyBytesOrRefuseThem(byte[] bytes) {
        Hostile.checkAny(bytes, MessageCodec::decodeToBands, Encoded::batch);
        Hostile.checkAny(bytes, MessageCodec::decodeToCoordinator, Encoded::batch);
        Stream.of(
                        StateCodec.DECISION,
                        StateCodec.BLOCK,
                        StateCodec.ORIGINAL,
                        StateCodec.POSITION,
                        StateCodec.EXPIRY,
                        StateCodec.TOMBSTONE,
                        StateCodec.HANDOVER,
                        StateCodec.EPOCH,
                        StateCodec.REPEATED,
                        BandLogCodec.KEY,
                        BandLogCodec.DOCUMENTS,
                        BandLogCodec.DEAD,
                        BandFiles.LAYOUT)
                .forEach(layout -> checkAny(bytes, layout));
    }

    private static <T> void checkAny(byte[] bytes, Layout<T> layout) {
        Hostile.checkAny(bytes, layout::decode, layout::encode);
    }

    static Stream<byte[]> inputs() {
        Stream<byte[]> layouts = Stream.of(StateCodecTest.pinned(), BandLogCodecTest.pinned())
                .flatMap(List::stream)
                .map(LayoutContract.Pinned::bytes);
        Stream<byte[]> messages =
                MessageCodecTest.pinned().stream().map(Arguments::get).map(pinned -> Hostile.bytes((String) pinned[1]));
        return Stream.of(layouts, messages, Stream.of(manifest()), broken()).flatMap(inputs -> inputs);
    }

    private static byte[] manifest() {
        return BandFiles.LAYOUT.encode(new BandFiles.Manifest(
                "index/topic/0",
                16,
                1_000,
                new BandFiles.Position(1_700_000_000_000L, 41, 7),
                9,
                List.of(
                        new BandFiles.SegmentInUse(3, 0xfedc_ba98L, BitSet.valueOf(new long[] {1L << 40 | 5})),
                        new BandFiles.SegmentInUse(12, 0, new BitSet()))));
    }

    /** Numbers too long for any, lists and texts that are not as long as they say, a band of none. */
    private static Stream<byte[]> broken() {
        return Stream.of(
                Hostile.bytes(MessageCodec.VERSION, "01 80808080808080808080 01"),
                Hostile.bytes(MessageCodec.VERSION, "03 03 ac02 02 05 09 ffffffffffffffff7f"),
                Hostile.bytes(MessageCodec.VERSION, "03 03 ac02 02 05 09 80ade204 0007"),
                Hostile.bytes(StateCodec.VERSION, "ffffffffffffffff7f"),
                Hostile.bytes(StateCodec.VERSION, "02 c080 00"),
                Hostile.bytes(BandLogCodec.VERSION, "07 80ade204 01 03 05 00"),
                Hostile.bytes(BandLogCodec.VERSION, "07 01 01 03 05 ffffffff7f 0000000000000007"),
                Hostile.bytes(BandLogCodec.VERSION, "07 00 01 03 05 01 00"),
                Hostile.bytes(BandFiles.VERSION, "00 02 0a 0000000000000000 00 01 01 01 ffffffff07 00 00"));
    }
}
