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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads what {@link ByteWriter} wrote. Whatever the bytes are, it ends with a value or a {@link WireException}. */
final class ByteReader {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final String what;
    private final byte[] bytes;
    private int position;

    /** @param what names the bytes in messages, such as "a batch of messages" */
    private ByteReader(String what, byte[] bytes) {
        this.what = what;
        this.bytes = bytes;
    }

    /** Reads a whole value: the version that every layout starts with, the fields behind it, and nothing more. */
    static <T> T decode(String what, int version, byte[] bytes, Function<ByteReader, T> fields) {
        ByteReader from = new ByteReader(what, bytes);
        int found = from.takeByte();
        if (found != version) {
            throw new WireException(what + ": expected version " + version + ", found " + found + "; "
                    + (found < version ? "an earlier" : "a later")
                    + " release wrote it, and the settings topic names the one that made the index: run that one, or"
                    + " start anew under another application.id (src/docs/changes.md)");
        }
        T value = fields.apply(from);
        if (!from.atEnd()) {
            throw from.broken("the end", (bytes.length - from.position) + " more bytes");
        }
        return value;
    }

    int takeByte() {
        require(1);
        return bytes[position++] & 0xFF;
    }

    boolean takeFlag() {
        int flag = takeByte();
        if (flag > 1) {
            throw broken("0 or 1", String.valueOf(flag));
        }
        return flag == 1;
    }

    long takeLong() {
        require(Long.BYTES);
        long value = (long) LONG.get(bytes, position);
        position += Long.BYTES;
        return value;
    }

    long takeSmall() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE - 1; shift += 7) {
            int next = takeByte();
            value |= (long) (next & 0x7F) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw broken("a number of at most 9 bytes", "a longer one");
    }

    /** A number of things that take at least so many bytes each. A false count cannot ask for more than there is. */
    int takeCount(int bytesEach) {
        long count = takeSmall();
        if (count > (bytes.length - position) / bytesEach) {
            throw broken("at most " + (bytes.length - position) / bytesEach + " more", String.valueOf(count));
        }
        return (int) count;
    }

    /** A number from 0 to {@code max}. */
    int takeInt(int max) {
        long value = takeSmall();
        if (value < 0 || value > max) {
            throw broken("a number to " + max, String.valueOf(value));
        }
        return (int) value;
    }

    byte[] takeBytes() {
        int length = takeCount(1);
        byte[] value = Arrays.copyOfRange(bytes, position, position + length);
        position += length;
        return value;
    }

    /** Leaves the fields that come behind unread. */
    void skipRest() {
        position = bytes.length;
    }

    String takeText() {
        return new String(takeBytes(), UTF_8);
    }

    DocumentRef takeRef() {
        return takeRef(DocumentRef.COORDINATORS_MAX - 1);
    }

    /** One that may be of a check. */
    DocumentRef takeAsker() {
        return takeRef(DocumentRef.COORDINATORS_MAX);
    }

    private DocumentRef takeRef(int coordinatorMax) {
        int coordinator = takeInt(coordinatorMax);
        long sequence = takeSmall();
        if (sequence < 0 || sequence > DocumentRef.SEQUENCE_MAX) {
            throw broken("a sequence number to " + DocumentRef.SEQUENCE_MAX, String.valueOf(sequence));
        }
        return new DocumentRef(coordinator, sequence);
    }

    RecordKey takeRecordKey() {
        return new RecordKey(takeLong(), takeLong());
    }

    Origin takeOrigin() {
        long timestampMillis = takeSmall();
        Provenance provenance = takeProvenance();
        int with = takeByte();
        int all = ByteWriter.WITH_RECORD_KEY | ByteWriter.WITH_PREDECESSOR_REF;
        if ((with & ~all) != 0) {
            throw broken("bits of an origin, to " + all, String.valueOf(with));
        }
        RecordKey key = (with & ByteWriter.WITH_RECORD_KEY) == 0 ? null : takeRecordKey();
        return new Origin(
                key, timestampMillis, provenance, (with & ByteWriter.WITH_PREDECESSOR_REF) == 0 ? null : takeRef());
    }

    Provenance takeProvenance() {
        return new Provenance(takeText(), takeText(), takeLong(), takeInt(Integer.MAX_VALUE));
    }

    BandKeys takeKeys() {
        return BandKeys.owning(takeLongs());
    }

    BitSketch takeSketch() {
        return BitSketch.owning(takeLongs());
    }

    private long[] takeLongs() {
        long[] values = new long[takeCount(Long.BYTES)];
        for (int i = 0; i < values.length; i++) {
            values[i] = takeLong();
        }
        return values;
    }

    Similarity takeSimilarity() {
        Similarity similarity = new Similarity(takeDouble(), takeDouble(), takeDouble());
        return takeFlag() ? similarity.withWhole(takeDouble()) : similarity;
    }

    Neighbour takeNeighbour() {
        return new Neighbour(takeRef(), takeText(), takeProvenance(), takeSimilarity(), takeFlag());
    }

    <T> @Nullable T takeOrNone(Function<ByteReader, T> take) {
        return takeFlag() ? take.apply(this) : null;
    }

    double takeDouble() {
        return Double.longBitsToDouble(takeLong());
    }

    boolean atEnd() {
        return position == bytes.length;
    }

    WireException broken(String expected, String found) {
        return new WireException(
                what + ", byte " + position + " of " + bytes.length + ": expected " + expected + ", found " + found);
    }

    private void require(int count) {
        if (bytes.length - position < count) {
            throw broken(count + " more bytes", String.valueOf(bytes.length - position));
        }
    }
}
