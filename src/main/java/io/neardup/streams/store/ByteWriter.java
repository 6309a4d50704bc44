package io.neardup.streams.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.protocol.Origin;
import io.neardup.engine.protocol.Provenance;
import io.neardup.engine.protocol.RecordKey;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Similarity;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes fields one after the other: big endian, or in 7 bits a byte with the lowest first where they are mostly small.
 */
final class ByteWriter {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    // ---- what an origin has beside its time, as bits
    static final int WITH_RECORD_KEY = 1;
    static final int WITH_PREDECESSOR_REF = 2;

    private static final int SMALL_BYTES_MAX = 9;

    private byte[] bytes = new byte[1024];
    private int size;

    ByteWriter putByte(int value) {
        room(1);
        bytes[size++] = (byte) value;
        return this;
    }

    ByteWriter putFlag(boolean value) {
        return putByte(value ? 1 : 0);
    }

    ByteWriter putLong(long value) {
        room(Long.BYTES);
        LONG.set(bytes, size, value);
        size += Long.BYTES;
        return this;
    }

    /** A number of at least 0: 1 byte below 128, 9 at the most. */
    ByteWriter putSmall(long value) {
        room(SMALL_BYTES_MAX);
        long rest = value;
        while (rest >>> 7 != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
        return this;
    }

    ByteWriter putBytes(byte[] value) {
        putSmall(value.length);
        room(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
        return this;
    }

    ByteWriter putText(String value) {
        return putBytes(value.getBytes(UTF_8));
    }

    ByteWriter putRef(DocumentRef ref) {
        return putSmall(ref.coordinator()).putSmall(ref.sequence());
    }

    ByteWriter putRecordKey(RecordKey key) {
        return putLong(key.high()).putLong(key.low());
    }

    ByteWriter putOrigin(Origin origin) {
        RecordKey key = origin.key();
        DocumentRef predecessorRef = origin.predecessorRef();
        putSmall(origin.timestampMillis()).putProvenance(origin.provenance());
        putByte((key == null ? 0 : WITH_RECORD_KEY) | (predecessorRef == null ? 0 : WITH_PREDECESSOR_REF));
        if (key != null) {
            putRecordKey(key);
        }
        return predecessorRef == null ? this : putRef(predecessorRef);
    }

    ByteWriter putProvenance(Provenance provenance) {
        return putText(provenance.place())
                .putText(provenance.source())
                .putLong(provenance.timestampMillis())
                .putSmall(provenance.length());
    }

    ByteWriter putKeys(BandKeys keys) {
        putSmall(keys.bands());
        for (int band = 0; band < keys.bands(); band++) {
            putLong(keys.key(band));
        }
        return this;
    }

    ByteWriter putSketch(BitSketch sketch) {
        putSmall(sketch.words());
        for (int i = 0; i < sketch.words(); i++) {
            putLong(sketch.word(i));
        }
        return this;
    }

    ByteWriter putSimilarity(Similarity similarity) {
        putDouble(similarity.value()).putDouble(similarity.ofFirst()).putDouble(similarity.ofSecond());
        putFlag(similarity.knowsWhole());
        return similarity.knowsWhole() ? putDouble(similarity.whole()) : this;
    }

    ByteWriter putNeighbour(Neighbour neighbour) {
        return putRef(neighbour.ref())
                .putText(neighbour.id())
                .putProvenance(neighbour.provenance())
                .putSimilarity(neighbour.similarity())
                .putFlag(neighbour.isPending());
    }

    <T> ByteWriter putOrNone(@Nullable T value, BiConsumer<ByteWriter, T> put) {
        putFlag(value != null);
        if (value != null) {
            put.accept(this, value);
        }
        return this;
    }

    ByteWriter putDouble(double value) {
        return putLong(Double.doubleToLongBits(value));
    }

    /** What the buffer can take before it grows. */
    int capacity() {
        return bytes.length;
    }

    int size() {
        return size;
    }

    /** Starts anew, in the same buffer. */
    ByteWriter clear() {
        size = 0;
        return this;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    private void room(int needed) {
        if (bytes.length - size < needed) {
            bytes = Arrays.copyOf(bytes, Math.max(size + needed, 2 * bytes.length));
        }
    }
}
