package io.neardup.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.protocol.Decision;
import io.neardup.protocol.NumberBlock;
import io.neardup.protocol.Original;
import io.neardup.sketch.Evidence;

/** What the stores and their changelogs hold. */
public final class StateCodec {
    public static final int VERSION = 2;

    private static final int BLOCK_BYTES = 64;

    private StateCodec() {}

    public static byte[] encode(Decision.Duplicate decision) {
        ByteWriter to = new ByteWriter(64).putByte(VERSION);
        Fields.putRef(to, decision.original());
        Fields.putSimilarity(to.putText(decision.originalId()), decision.similarity());
        return to.toBytes();
    }

    public static Decision.Duplicate decodeDecision(byte[] bytes) {
        ByteReader from = new ByteReader("a decision", bytes).expectVersion(VERSION);
        Decision.Duplicate decision =
                new Decision.Duplicate(Fields.takeRef(from), from.takeText(), Fields.takeSimilarity(from));
        from.expectEnd();
        return decision;
    }

    public static byte[] encode(NumberBlock block) {
        return new ByteWriter(BLOCK_BYTES)
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
        byte[] id = original.id().getBytes(UTF_8);
        byte[] evidence = original.evidence().bytes();
        // To the byte, as it is the largest of all that is written: a copy of it would be a copy of the text.
        int bytes = 1 + ByteWriter.lengthOf(id) + ByteWriter.lengthOf(evidence);
        return new ByteWriter(bytes)
                .putByte(VERSION)
                .putBytes(id)
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
