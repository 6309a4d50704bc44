package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

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
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StateCodecTest extends LayoutContract {

    static List<Layout<?>> layouts() {
        return List.of(
                new Layout<>(
                        "block",
                        StateCodec::encode,
                        StateCodec::decodeBlock,
                        values -> new SequenceBlock(
                                values.text(),
                                values.upTo(Long.MAX_VALUE),
                                values.upTo(Long.MAX_VALUE),
                                values.upTo(Long.MAX_VALUE)),
                        new SequenceBlock("docs", 3, 300, 1_000),
                        "08 04646f6373 03 ac02 e807"),
                new Layout<>(
                        "duplicate",
                        StateCodec::encode,
                        StateCodec::decodeDecision,
                        values -> new Decision.Duplicate(values.ref(), values.text(), values.similarity()),
                        new Decision.Duplicate(new DocumentRef(3, 300), "ü", new Similarity(0.75, 0.5, 1)),
                        "08 02 03 ac02 02c3bc 3fe8000000000000 3fe0000000000000 3ff0000000000000 00"),
                new Layout<>(
                        "original",
                        StateCodec::encode,
                        StateCodec::decodeOriginal,
                        values -> new Original(
                                values.text(), values.origin(), values.keys(), values.evidence(), values.sketch()),
                        original(new RecordKey(1, -1)),
                        "08 02c3bc e807 01 0000000000000001 ffffffffffffffff 01 0000000000000005 01 0000000000000007"
                                + " 020908"),
                new Layout<>(
                        "original that was taken over",
                        StateCodec::encode,
                        StateCodec::decodeOriginal,
                        values -> new Original(
                                values.text(), values.origin(), values.keys(), values.evidence(), values.sketch()),
                        original(new RecordKey(1, -1), new DocumentRef(3, 300)),
                        "08 02c3bc e807 03 0000000000000001 ffffffffffffffff 03 ac02 01 0000000000000005 01"
                                + " 0000000000000007 020908"),
                new Layout<>(
                        "taken over",
                        StateCodec::encode,
                        StateCodec::decodeTakenOver,
                        values -> new TakenOver(values.upTo(Long.MAX_VALUE), values.upTo(1) == 1),
                        new TakenOver(300, true),
                        "08 ac02 01"),
                new Layout<>(
                        "group",
                        StateCodec::encodeGroup,
                        StateCodec::decodeGroup,
                        StateCodecTest::drawGroup,
                        new TreeMap<>(Map.of(0, Bytes.wrap(new byte[] {8, 1}), 255, Bytes.wrap(new byte[] {8, 2, 3}))),
                        "08 02 00 02 0801 ff 03 080203"),
                new Layout<>(
                        "unique",
                        StateCodec::encode,
                        StateCodec::decodeDecision,
                        values -> new Decision.Unique(values.bounds()),
                        new Decision.Unique(Set.of(Bound.BUCKET, Bound.RANK)),
                        "08 01 05"),
                new Layout<>(
                        "expiry",
                        StateCodec::encode,
                        StateCodec::decodeExpiry,
                        values -> new Expiry(values.upTo(Long.MAX_VALUE), values.upTo(Long.MAX_VALUE)),
                        new Expiry(300, 1_000),
                        "08 ac02 e807"),
                new Layout<>(
                        "tombstone",
                        StateCodec::encode,
                        StateCodec::decodeTombstone,
                        values -> new Tombstone(
                                new RecordKey(values.anyLong(), values.anyLong()),
                                values.upTo(DocumentRef.SEQUENCE_MAX)),
                        new Tombstone(new RecordKey(1, -1), 300),
                        "08 0000000000000001 ffffffffffffffff ac02"),
                new Layout<>(
                        "handover",
                        StateCodec::encode,
                        StateCodec::decodeHandover,
                        values -> new Handover(
                                Map.of(
                                        "a" + values.text(),
                                        values.upTo(Long.MAX_VALUE) - 1,
                                        "b" + values.text(),
                                        Handover.BEGINNING),
                                values.upTo(1) == 1),
                        new Handover(Map.of("b", 299L, "a", Handover.BEGINNING), true),
                        "08 01 02 0161 00 0162 ac02"),
                new Layout<>(
                        "epoch",
                        StateCodec::encodeEpoch,
                        StateCodec::decodeEpoch,
                        values -> values.upTo(Integer.MAX_VALUE),
                        300,
                        "08 ac02"),
                new Layout<>(
                        "repeated",
                        StateCodec::encodeRepeated,
                        StateCodec::decodeRepeated,
                        values -> values.upTo(Long.MAX_VALUE),
                        300L,
                        "08 ac02"),
                new Layout<>(
                        "position",
                        StateCodec::encode,
                        StateCodec::decodePosition,
                        values -> new InputPosition(values.upTo(Long.MAX_VALUE), values.upTo(1) == 1),
                        new InputPosition(300, true),
                        "08 ac02 01 01"),
                new Layout<>(
                        "position of which more may have been read",
                        StateCodec::encode,
                        StateCodec::decodePosition,
                        values -> new InputPosition(values.upTo(Long.MAX_VALUE), false, true),
                        new InputPosition(300, false, true),
                        "08 ac02 00 01"),
                new Layout<>(
                        "entry",
                        entry -> StateCodec.encodeKeyAlone(),
                        StateCodecTest::checked,
                        values -> "entry",
                        "entry",
                        "08"));
    }

    private static Original original(@Nullable RecordKey key) {
        return original(key, null);
    }

    private static Original original(@Nullable RecordKey key, @Nullable DocumentRef source) {
        return new Original(
                "ü",
                new Origin(key, 1_000, source),
                BandKeys.of(new long[] {5}),
                Evidence.of(new byte[] {9, 8}),
                BitSketch.owning(new long[] {7}));
    }

    private static SortedMap<Integer, Bytes> drawGroup(RandomValues values) {
        SortedMap<Integer, Bytes> group = new TreeMap<>();
        for (int more = values.upTo(5); more > 0; more--) {
            group.put(values.upTo(255), Bytes.wrap(values.bytes()));
        }
        return group;
    }

    private static String checked(byte[] entry) {
        StateCodec.checkKeyAlone(entry);
        return "entry";
    }

    @Test
    void shouldNameTheReleaseAndTheFixWhereAnotherVersionIsFound() {
        assertThat(catchThrowable(() -> StateCodec.decodeEpoch(new byte[] {7, 7})))
                .isInstanceOf(WireException.class)
                .hasMessage("the epoch of a coordinator: expected version 8, found 7; an earlier"
                        + " release wrote it, and the settings topic names the one that made the index: run"
                        + " that one, or start anew under another application.id (src/docs/changes.md)");
    }

    @Test
    void shouldSayWhichBytesAreBroken() {
        byte[] cut = {StateCodec.VERSION, 3, 'a'};

        assertThat(catchThrowable(() -> StateCodec.decodeOriginal(cut)))
                .isInstanceOf(WireException.class)
                .hasMessage("an original, byte 2 of 3: expected at most 1 more, found 3");
    }

    @Test
    void shouldRefuseABoundThatItDoesNotKnow() {
        byte[] bytes = {StateCodec.VERSION, 1, 8};

        assertThatThrownBy(() -> StateCodec.decodeDecision(bytes))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("expected bits of bounds, to 7, found 8");
    }

    @Test
    void shouldRefuseAnOriginThatHasMoreThanItKnows() {
        byte[] bytes = Hostile.bytes("08 0161 01 04 00 00 00");

        assertThatThrownBy(() -> StateCodec.decodeOriginal(bytes))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("expected bits of an origin, to 3, found 4");
    }

    @Test
    void shouldRefuseAPositionWhoseFlagIsNone() {
        byte[] bytes = StateCodec.encode(new InputPosition(300, true));
        bytes[bytes.length - 1] = 2;

        assertThatThrownBy(() -> StateCodec.decodePosition(bytes))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("expected 0 or 1, found 2");
    }
}
