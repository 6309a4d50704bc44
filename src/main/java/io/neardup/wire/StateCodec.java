package io.neardup.wire;

import io.neardup.document.Arrival;
import io.neardup.document.InputRecord;
import io.neardup.document.RecordHeader;
import io.neardup.protocol.Decision;
import io.neardup.protocol.Original;
import io.neardup.sketch.Evidence;
import java.util.ArrayList;
import java.util.List;

/** What the stores and their changelogs hold. */
public final class StateCodec {
    public static final int VERSION = 1;

    private static final int RECORD_BYTES = 256;
    private static final int UNIQUE = 0;
    private static final int DUPLICATE = 1;

    private StateCodec() {}

    /** A held document: when it arrived, and the record as it came. It is signed anew when it is read again. */
    public record HeldRecord(long arrivalMillis, Arrival arrival) {}

    public static byte[] encode(HeldRecord held) {
        InputRecord input = held.arrival().input();
        byte[] value = input.value();
        byte[] key = input.key();
        int capacity = RECORD_BYTES + (value == null ? 0 : value.length) + (key == null ? 0 : key.length);
        ByteWriter to = new ByteWriter(capacity).putByte(VERSION).putSmall(held.arrivalMillis());
        to.putText(held.arrival().id());
        to.putText(input.topic()).putSmall(input.partition()).putSmall(input.offset());
        to.putLong(input.timestamp()).putNullable(key).putNullable(value);
        to.putSmall(input.headers().size());
        for (RecordHeader header : input.headers()) {
            to.putText(header.name()).putNullable(header.value());
        }
        return to.toBytes();
    }

    public static HeldRecord decodeHeld(byte[] bytes) {
        ByteReader from = new ByteReader("a held document", bytes).expectVersion(VERSION);
        long arrivalMillis = from.takeSmall();
        String id = from.takeText();
        String topic = from.takeText();
        int partition = from.takeInt(Integer.MAX_VALUE);
        long offset = from.takeSmall();
        long timestamp = from.takeLong();
        byte[] key = from.takeNullable();
        byte[] value = from.takeNullable();
        int count = from.takeCount(2);
        List<RecordHeader> headers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            headers.add(new RecordHeader(from.takeText(), from.takeNullable()));
        }
        from.expectEnd();
        InputRecord input = new InputRecord(topic, partition, offset, timestamp, key, value, headers);
        return new HeldRecord(arrivalMillis, new Arrival(id, input));
    }

    public static byte[] encode(Decision decision) {
        ByteWriter to = new ByteWriter(64).putByte(VERSION);
        if (decision instanceof Decision.Duplicate duplicate) {
            Fields.putRef(to.putByte(DUPLICATE), duplicate.original());
            Fields.putDouble(to.putText(duplicate.originalId()), duplicate.similarity());
        } else {
            to.putByte(UNIQUE);
        }
        return to.toBytes();
    }

    public static Decision decodeDecision(byte[] bytes) {
        ByteReader from = new ByteReader("a decision", bytes).expectVersion(VERSION);
        int kind = from.takeByte();
        Decision decision =
                switch (kind) {
                    case UNIQUE -> Decision.UNIQUE;
                    case DUPLICATE ->
                        new Decision.Duplicate(Fields.takeRef(from), from.takeText(), Fields.takeDouble(from));
                    default -> throw from.broken("a decision of kind 0 or 1", String.valueOf(kind));
                };
        from.expectEnd();
        return decision;
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
