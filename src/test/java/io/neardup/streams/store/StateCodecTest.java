package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.CoordinatorState.Expiry;
import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import io.neardup.engine.protocol.CoordinatorState.TakenOver;
import io.neardup.engine.protocol.CoordinatorState.Tombstone;
import io.neardup.engine.protocol.Decision;
import io.neardup.engine.protocol.Decision.Bound;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.protocol.MigrationSource.Handover;
import io.neardup.engine.protocol.Origin;
import io.neardup.engine.protocol.Original;
import io.neardup.engine.protocol.Provenance;
import io.neardup.engine.protocol.RecordKey;
import io.neardup.engine.protocol.SequenceAllocator.SequenceBlock;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Similarity;
import io.neardup.streams.store.BandLogCodec.Indexed;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What stores keep, on the disk and in changelogs. */
class StateCodecTest extends LayoutContract {
    private static final Provenance FROM = new Provenance("d-7", "ä", -1, 300);

    static List<Pinned<?>> pinned() {
        String from = " 03 642d37 02 c3a4 ffffffffffffffff ac02";
        String shares = " 3fe8000000000000 3fe0000000000000 3ff0000000000000";
        String keysAndEvidence = " 01 0000000000000005 01 0000000000000007 020908";
        Similarity similarity = new Similarity(0.75, 0.5, 1);
        Indexed first = new Indexed(new DocumentRef(3, 300), BandKeys.owning(new long[] {1, -2}), List.of());
        Indexed second = new Indexed(new DocumentRef(3, 301), BandKeys.owning(new long[] {7, 8}), List.of(1));
        BandFiles.SegmentInUse segment = new BandFiles.SegmentInUse(3, 300, BitSet.valueOf(new long[] {2}));
        return List.of(
                new Pinned<>(StateCodec.BLOCK, new SequenceBlock("docs", 3, 300, 1_000), "0a 04646f6373 03 ac02 e807"),
                new Pinned<>(
                        StateCodec.DECISION,
                        new Decision.Duplicate(new DocumentRef(3, 300), "ü", FROM, similarity),
                        "0a 02 03 ac02 02c3bc" + from + shares + " 00"),
                new Pinned<>(
                        StateCodec.DECISION,
                        new Decision.Unique(Set.of(Bound.BUCKET, Bound.RANK), null),
                        "0a 01 05 00"),
                new Pinned<>(
                        StateCodec.DECISION,
                        new Decision.Unique(
                                Set.of(Bound.CANDIDATES),
                                new Neighbour(new DocumentRef(3, 300), "ü", FROM, similarity, false)),
                        "0a 01 02 01 03 ac02 02c3bc" + from + shares + " 00 00"),
                new Pinned<>(
                        StateCodec.ORIGINAL,
                        original(null),
                        "0a 02c3bc e807" + from + " 01 0000000000000001 ffffffffffffffff" + keysAndEvidence),
                new Pinned<>(
                        StateCodec.ORIGINAL,
                        original(new DocumentRef(3, 300)),
                        "0a 02c3bc e807" + from + " 03 0000000000000001 ffffffffffffffff 03 ac02" + keysAndEvidence),
                new Pinned<>(
                        StateCodec.ORIGINAL,
                        new Original(
                                new SignedDocument(
                                        "", BandKeys.owning(new long[0]), Evidence.of(new byte[0]), BitSketch.NONE),
                                new Origin(null, 1_000, FROM)),
                        "0a 00 e807" + from + " 00 00 00 00"),
                new Pinned<>(StateCodec.TAKEN_OVER, new TakenOver(300, true), "0a ac02 01"),
                new Pinned<>(
                        StateCodec.GROUP,
                        group(Map.of(0, new byte[] {8, 1}, 255, new byte[] {8, 2, 3})),
                        "0a 02 00 02 0801 ff 03 080203"),
                new Pinned<>(StateCodec.GROUP, group(Map.of()), "0a 00"),
                new Pinned<>(StateCodec.GROUP, group(Map.of(7, new byte[0])), "0a 01 07 00"),
                new Pinned<>(StateCodec.EXPIRY, new Expiry(300, 1_000), "0a ac02 e807"),
                new Pinned<>(
                        StateCodec.TOMBSTONE,
                        new Tombstone(new RecordKey(1, -1), 300),
                        "0a 0000000000000001 ffffffffffffffff ac02"),
                new Pinned<>(
                        StateCodec.HANDOVER,
                        new Handover(Map.of("b", 299L, "a", Handover.NOTHING_TAKEN), true),
                        "0a 01 02 0161 00 0162 ac02"),
                new Pinned<>(StateCodec.HANDOVER, new Handover(Map.of(), false), "0a 00 00"),
                new Pinned<>(StateCodec.HANDOVER, new Handover(Map.of("a", 0L), false), "0a 00 01 0161 01"),
                new Pinned<>(StateCodec.EPOCH, 300, "0a ac02"),
                new Pinned<>(StateCodec.EPOCH, Integer.MAX_VALUE, "0a ffffffff07"),
                new Pinned<>(StateCodec.REPEATED, 300L, "0a ac02"),
                new Pinned<>(StateCodec.REPEATED, Long.MAX_VALUE, "0a ffffffffffffffff7f"),
                new Pinned<>(StateCodec.POSITION, new InputPosition(300, 301), "0a ac02 ad02"),
                new Pinned<>(StateCodec.KEY_ALONE, true, "0a"),
                new Pinned<>(
                        OriginalsDisk.Checkpoint.LAYOUT,
                        new OriginalsDisk.Checkpoint("i/t/5", 7, 9),
                        "04 05 692f742f35 0000000000000007 0000000000000009"),
                new Pinned<>(BandLogCodec.KEY, new BandLogCodec.Key(300, false), "04 00 ac02"),
                new Pinned<>(BandLogCodec.KEY, new BandLogCodec.Key(5, true), "04 01 05"),
                new Pinned<>(
                        BandLogCodec.DOCUMENTS,
                        List.of(first, second),
                        "04 02 02 03 ac02 00 0000000000000001 fffffffffffffffe"
                                + " 03 ad02 01 01 0000000000000007 0000000000000008"),
                new Pinned<>(
                        BandLogCodec.DOCUMENTS,
                        List.of(new Indexed(
                                new DocumentRef(3, 300), BandKeys.owning(new long[] {1, 2, 3}), List.of(0, 2))),
                        "04 03 01 03 ac02 02 00 02 0000000000000001 0000000000000002 0000000000000003"),
                new Pinned<>(BandLogCodec.DEAD, 0x8000_0000_0000_0001L, "04 8000000000000001"),
                new Pinned<>(
                        BandFiles.LAYOUT,
                        new BandFiles.Manifest("i/t/0", 16, new BandFiles.Position(9, 41, 7), 8, List.of(segment)),
                        "07 05 692f742f30 10 0000000000000009 29 07 08 01 03 ac02 01 02"),
                new Pinned<>(
                        BandFiles.LAYOUT,
                        new BandFiles.Manifest("", 1, new BandFiles.Position(0, 0, 0), 0, List.of()),
                        "07 00 01 0000000000000000 00 00 00 00"),
                new Pinned<>(
                        BandFiles.LAYOUT,
                        new BandFiles.Manifest("", 1, new BandFiles.Position(0, 0, 0), 0, List.of(segment, segment)),
                        "07 00 01 0000000000000000 00 00 00 02 03 ac02 01 02 03 ac02 01 02"));
    }

    private static SortedMap<Integer, Bytes> group(Map<Integer, byte[]> entries) {
        SortedMap<Integer, Bytes> group = new TreeMap<>();
        entries.forEach((number, value) -> group.put(number, Bytes.wrap(value)));
        return group;
    }

    private static Original original(@Nullable DocumentRef source) {
        return new Original(
                new SignedDocument(
                        "ü",
                        BandKeys.owning(new long[] {5}),
                        Evidence.of(new byte[] {9, 8}),
                        BitSketch.owning(new long[] {7})),
                new Origin(new RecordKey(1, -1), 1_000, FROM, source));
    }

    static List<Arguments> refused() {
        return List.of(
                Arguments.of(
                        StateCodec.EPOCH,
                        "07 07",
                        "the epoch of a coordinator: expected version 10, found 7; an earlier release wrote it, and the"
                                + " settings topic names the one that made the index: run that one, or start anew"
                                + " under another application.id (src/docs/changes.md)"),
                Arguments.of(
                        StateCodec.ORIGINAL, "0a 03 61", "an original, byte 2 of 3: expected at most 1 more, found 3"),
                Arguments.of(StateCodec.DECISION, "0a 01 08", "expected bits of bounds, to 7, found 8"),
                Arguments.of(
                        StateCodec.ORIGINAL,
                        "0a 0161 01 00 00 0000000000000000 00 04 00 00 00",
                        "expected bits of an origin, to 3, found 4"),
                Arguments.of(StateCodec.TAKEN_OVER, "0a ac02 02", "expected 0 or 1, found 2"),
                Arguments.of(BandLogCodec.DOCUMENTS, "04 00 00", "expected 1 to 64 documents, found 0"),
                Arguments.of(BandLogCodec.KEY, "04 02 00", "expected a record of kind 0 or 1, found 2"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void shouldSayWhatIsBroken(Layout<?> layout, String hex, String message) {
        assertThatThrownBy(() -> layout.decode(bytes(hex)))
                .isInstanceOf(WireException.class)
                .hasMessageEndingWith(message);
    }
}
