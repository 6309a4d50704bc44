package io.neardup.wire;

import io.neardup.protocol.Decision;
import io.neardup.protocol.NumberBlock;
import io.neardup.protocol.Original;
import io.neardup.sketch.Evidence;

/** What the stores and their changelogs hold. */
public final class StateCodec {
    public static final int VERSION = 1;

    private static final int RECORD_BYTES = 256;

    private StateCodec() {}

    public static byte[] encode(Decision.Duplicate decision) {
        ByteWriter to = new ByteWriter(64).putByte(VERSION);
        Fields.putRef(to, decision.original());
        Fields.putDouble(to.putText(decision.originalId()), decision.similarity());
        return to.toBytes();
    }

    public static Decision.Duplicate decodeDecision(byte[] bytes) {
        ByteReader from = new ByteReader("a decision", bytes).expectVersion(VERSION);
        Decision.Duplicate decision =
                new Decision.Duplicate(Fields.takeRef(from), from.takeText(), Fields.takeDouble(from));
        from.expectEnd();
        return decision;
    }

    public static byte[] encode(NumberBlock block) {
        return new ByteWriter(RECORD_BYTES)
                .putByte(VERSION)
                .putText(block.topic())
                .putSmall(block.firstOffset())
                .putSmall(block.firstSequence())
                .putSmall(block.arrivalMillis())
                .toBytes();
    }

    public static NumberBlock decodeBlock(byte[] bytes) {
        ByteReader from = new ByteReader("a block of sequence numbers", bytes).expectVersion(VERSION);
        NumberBlock block = new NumberBlock(from.takeText(), from.takeSmall(), from.takeSmall(), from.takeSmall());
        from.expectEnd();
        return block;
    }

    public static byte[] encode(Original original) {
        byte[] evidence = original.evidence().bytes();
        return new ByteWriter(RECORD_BYTES + evidence.length)
                .putByte(VERSION)
                .putText(original.id())
                .putBytes(evidence)
                .toBytes();
    }

    public static Original decodeOriginal(byte[] bytes) {
        ByteReader from = new ByteReader("an original", bytes).expectVersion(VERSION);
        Original original = new Original(from.takeText(), Evidence.of(from.takeBytes()));
        from.expectEnd();
        return original;
    }
}
