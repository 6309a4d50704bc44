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
import io.neardup.engine.protocol.MigrationSource.Handover;
import io.neardup.engine.protocol.Origin;
import io.neardup.engine.protocol.Original;
import io.neardup.engine.protocol.RecordKey;
import io.neardup.engine.protocol.SequenceAllocator.SequenceBlock;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Similarity;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StateCodecTest extends LayoutContract {

    static List<Layout<?>> layouts() {
        return List.of(
                Layout.of(
                                "block",
                                StateCodec::encode,
                                StateCodec::decodeBlock,
                                new SequenceBlock("docs", 3, 300, 1_000),
                                "08 04646f6373 03 ac02 e807")
                        .drawn(values ->
                                new SequenceBlock(values.text(), values.number(), values.number(), values.number())),
                Layout.of(
                                "duplicate",
                                StateCodec::encode,
                                StateCodec::decodeDecision,
                                new Decision.Duplicate(new DocumentRef(3, 300), "ü", new Similarity(0.75, 0.5, 1)),
                                "08 02 03 ac02 02c3bc 3fe8000000000000 3fe0000000000000 3ff0000000000000 00")
                        .drawn(values -> new Decision.Duplicate(values.ref(), values.text(), values.similarity())),
                Layout.of(
                                "original",
                                StateCodec::encode,
                                StateCodec::decodeOriginal,
                                original(null),
                                "08 02c3bc e807 01 0000000000000001 ffffffffffffffff 01 0000000000000005"
                                        + " 01 0000000000000007 020908")
                        .drawn(StateCodecTest::drawOriginal),
                Layout.of(
                                "original that was taken over",
                                StateCodec::encode,
                                StateCodec::decodeOriginal,
                                original(new DocumentRef(3, 300)),
                                "08 02c3bc e807 03 0000000000000001 ffffffffffffffff 03 ac02 01 0000000000000005"
                                        + " 01 0000000000000007 020908")
                        .drawn(StateCodecTest::drawOriginal),
                Layout.of(
                                "taken over",
                                StateCodec::encode,
                                StateCodec::decodeTakenOver,
                                new TakenOver(300, true),
                                "08 ac02 01")
                        .drawn(values -> new TakenOver(values.number(), values.flag())),
                Layout.of(
                                "group",
                                StateCodec::encodeGroup,
                                StateCodec::decodeGroup,
                                group(Map.of(0, new byte[] {8, 1}, 255, new byte[] {8, 2, 3})),
                                "08 02 00 02 0801 ff 03 080203")
                        .drawn(values ->
                                group(Map.of(values.upTo(99), values.bytes(), 100 + values.upTo(155), values.bytes()))),
                Layout.of("empty group", StateCodec::encodeGroup, StateCodec::decodeGroup, group(Map.of()), "08 00"),
                Layout.of(
                                "unique",
                                StateCodec::encode,
                                StateCodec::decodeDecision,
                                new Decision.Unique(Set.of(Bound.BUCKET, Bound.RANK)),
                                "08 01 05")
                        .drawn(values -> new Decision.Unique(values.bounds())),
                Layout.of(
                                "expiry",
                                StateCodec::encode,
                                StateCodec::decodeExpiry,
                                new Expiry(300, 1_000),
                                "08 ac02 e807")
                        .drawn(values -> new Expiry(values.number(), values.number())),
                Layout.of(
                                "tombstone",
                                StateCodec::encode,
                                StateCodec::decodeTombstone,
                                new Tombstone(new RecordKey(1, -1), 300),
                                "08 0000000000000001 ffffffffffffffff ac02")
                        .drawn(values -> new Tombstone(
                                new RecordKey(values.anyLong(), values.anyLong()),
                                values.upTo(DocumentRef.SEQUENCE_MAX))),
                Layout.of(
                                "handover",
                                StateCodec::encode,
                                StateCodec::decodeHandover,
                                new Handover(Map.of("b", 299L, "a", Handover.BEGINNING), true),
                                "08 01 02 0161 00 0162 ac02")
                        .drawn(values -> new Handover(
                                Map.of("a" + values.text(), values.number() - 1, "b", Handover.BEGINNING),
                                values.flag())),
                Layout.of("epoch", StateCodec::encodeEpoch, StateCodec::decodeEpoch, 300, "08 ac02")
                        .drawn(values -> values.upTo(Integer.MAX_VALUE)),
                Layout.of("repeated", StateCodec::encodeRepeated, StateCodec::decodeRepeated, 300L, "08 ac02")
                        .drawn(RandomValues::number),
                Layout.of(
                                "position",
                                StateCodec::encode,
                                StateCodec::decodePosition,
                                new InputPosition(300, true),
                                "08 ac02 01 01")
                        .drawn(values -> new InputPosition(values.number(), values.flag())),
                Layout.of(
                                "position of which more may have been read",
                                StateCodec::encode,
                                StateCodec::decodePosition,
                                new InputPosition(300, false, true),
                                "08 ac02 00 01")
                        .drawn(values -> new InputPosition(values.number(), false, true)),
                Layout.of("entry", entry -> StateCodec.encodeKeyAlone(), StateCodecTest::checked, "entry", "08"));
    }

    private static Original drawOriginal(RandomValues values) {
        return new Original(values.text(), values.origin(), values.keys(), values.evidence(), values.sketch());
    }

    private static SortedMap<Integer, Bytes> group(Map<Integer, byte[]> entries) {
        SortedMap<Integer, Bytes> group = new TreeMap<>();
        entries.forEach((number, value) -> group.put(number, Bytes.wrap(value)));
        return group;
    }

    private static Original original(@Nullable DocumentRef source) {
        return new Original(
                "ü",
                new Origin(new RecordKey(1, -1), 1_000, source),
                BandKeys.of(new long[] {5}),
                Evidence.of(new byte[] {9, 8}),
                BitSketch.owning(new long[] {7}));
    }

    private static String checked(byte[] entry) {
        StateCodec.checkKeyAlone(entry);
        return "entry";
    }

    static List<Arguments> refused() {
        return List.of(
                refused(
                        StateCodec::decodeEpoch,
                        "07 07",
                        "the epoch of a coordinator: expected version 8, found 7; an earlier release wrote it, and the"
                                + " settings topic names the one that made the index: run that one, or start anew"
                                + " under another application.id (src/docs/changes.md)"),
                refused(
                        StateCodec::decodeOriginal,
                        "08 03 61",
                        "an original, byte 2 of 3: expected at most 1 more, found 3"),
                refused(StateCodec::decodeDecision, "08 01 08", "expected bits of bounds, to 7, found 8"),
                refused(
                        StateCodec::decodeOriginal,
                        "08 0161 01 04 00 00 00",
                        "expected bits of an origin, to 3, found 4"),
                refused(StateCodec::decodePosition, "08 ac02 01 02", "expected 0 or 1, found 2"));
    }

    private static Arguments refused(Function<byte[], ?> decode, String hex, String message) {
        return Arguments.of(decode, hex, message);
    }

    @ParameterizedTest
    @MethodSource("refused")
    void shouldSayWhatIsBroken(Function<byte[], ?> decode, String hex, String message) {
        assertThatThrownBy(() -> decode.apply(Hostile.bytes(hex)))
                .isInstanceOf(WireException.class)
                .hasMessageEndingWith(message);
    }
}
