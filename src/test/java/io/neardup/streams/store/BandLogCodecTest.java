package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.streams.store.BandLogCodec.Indexed;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BandLogCodecTest extends LayoutContract {

    static List<Pinned<?>> pinned() {
        Indexed first = new Indexed(new DocumentRef(3, 300), BandKeys.owning(new long[] {1, -2}), List.of());
        Indexed second = new Indexed(new DocumentRef(3, 301), BandKeys.owning(new long[] {7, 8}), List.of(1));
        Function<RandomValues, BandLogCodec.Key> key = values -> new BandLogCodec.Key(values.number(), values.flag());
        return List.of(
                new Pinned<>(BandLogCodec.KEY, new BandLogCodec.Key(300, false), "04 00 ac02", key),
                new Pinned<>(BandLogCodec.KEY, new BandLogCodec.Key(5, true), "04 01 05", key),
                new Pinned<>(
                        BandLogCodec.DOCUMENTS,
                        List.of(first, second),
                        "04 02 02 03 ac02 00 0000000000000001 fffffffffffffffe"
                                + " 03 ad02 01 01 0000000000000007 0000000000000008",
                        BandLogCodecTest::drawDocuments),
                new Pinned<>(BandLogCodec.DEAD, 0x8000_0000_0000_0001L, "04 8000000000000001", RandomValues::anyLong));
    }

    private static List<Indexed> drawDocuments(RandomValues values) {
        int bands = 1 + values.upTo(30);
        return IntStream.rangeClosed(0, values.upTo(BandLogCodec.BATCH_DOCUMENTS_MAX - 1))
                .mapToObj(i -> new Indexed(
                        values.ref(),
                        BandKeys.owning(IntStream.range(0, bands)
                                .mapToLong(band -> values.anyLong())
                                .toArray()),
                        values.listOf(() -> values.upTo(bands - 1))))
                .toList();
    }

    @Test
    void shouldRefuseABatchOfNoneAndAKindItDoesNotKnow() {
        assertThatThrownBy(() -> BandLogCodec.DOCUMENTS.decode(new byte[] {BandLogCodec.VERSION, 0, 0}))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("expected 1 to 64 documents, found 0");
        assertThatThrownBy(() -> BandLogCodec.KEY.decode(new byte[] {BandLogCodec.VERSION, 2, 0}))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("expected a record of kind 0 or 1, found 2");
    }
}
