package io.neardup.streams.store;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Origin;
import io.neardup.engine.protocol.RecordKey;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Similarity;

/** Fields that several layouts share. */
final class Fields {
    // ---- what an origin has beside its time, as bits
    private static final int WITH_RECORD_KEY = 1;
    private static final int WITH_SOURCE = 2;

    private Fields() {}

    static void putRef(ByteWriter to, DocumentRef ref) {
        to.putSmall(ref.coordinator()).putSmall(ref.sequence());
    }

    /** What {@link #putRef} takes. */
    static int lengthOf(DocumentRef ref) {
        return ByteWriter.smallLength(ref.coordinator()) + ByteWriter.smallLength(ref.sequence());
    }

    static DocumentRef takeRef(ByteReader from) {
        int coordinator = from.takeInt(DocumentRef.COORDINATORS_MAX - 1);
        long sequence = from.takeSmall();
        if (sequence < 0 || sequence > DocumentRef.SEQUENCE_MAX) {
            throw from.broken("a sequence number to " + DocumentRef.SEQUENCE_MAX, String.valueOf(sequence));
        }
        return new DocumentRef(coordinator, sequence);
    }

    /** What {@link #putKeys} or {@link #putSketch} take for so many longs. */
    static int lengthOfLongs(int longs) {
        return ByteWriter.smallLength(longs) + Long.BYTES * longs;
    }

    static void putKeys(ByteWriter to, BandKeys keys) {
        to.putSmall(keys.bands());
        for (int band = 0; band < keys.bands(); band++) {
            to.putLong(keys.key(band));
        }
    }

    static BandKeys takeKeys(ByteReader from) {
        long[] keys = new long[from.takeCount(Long.BYTES)];
        for (int band = 0; band < keys.length; band++) {
            keys[band] = from.takeLong();
        }
        return BandKeys.owning(keys);
    }

    static void putSketch(ByteWriter to, BitSketch sketch) {
        to.putSmall(sketch.words());
        for (int i = 0; i < sketch.words(); i++) {
            to.putLong(sketch.word(i));
        }
    }

    static BitSketch takeSketch(ByteReader from) {
        long[] words = new long[from.takeCount(Long.BYTES)];
        for (int i = 0; i < words.length; i++) {
            words[i] = from.takeLong();
        }
        return BitSketch.owning(words);
    }

    static void putOrigin(ByteWriter to, Origin origin) {
        RecordKey key = origin.key();
        DocumentRef source = origin.source();
        to.putSmall(origin.timestampMillis())
                .putByte((key == null ? 0 : WITH_RECORD_KEY) | (source == null ? 0 : WITH_SOURCE));
        if (key != null) {
            to.putLong(key.high());
            to.putLong(key.low());
        }
        if (source != null) {
            putRef(to, source);
        }
    }

    /** What {@link #putOrigin} takes. */
    static int lengthOf(Origin origin) {
        DocumentRef source = origin.source();
        return ByteWriter.smallLength(origin.timestampMillis())
                + 1
                + (origin.key() == null ? 0 : 2 * Long.BYTES)
                + (source == null ? 0 : lengthOf(source));
    }

    static Origin takeOrigin(ByteReader from) {
        long timestampMillis = from.takeSmall();
        int with = from.takeByte();
        if ((with & ~(WITH_RECORD_KEY | WITH_SOURCE)) != 0) {
            throw from.broken("bits of an origin, to " + (WITH_RECORD_KEY | WITH_SOURCE), String.valueOf(with));
        }
        RecordKey key = (with & WITH_RECORD_KEY) == 0 ? null : new RecordKey(from.takeLong(), from.takeLong());
        return new Origin(key, timestampMillis, (with & WITH_SOURCE) == 0 ? null : takeRef(from));
    }

    static void putSimilarity(ByteWriter to, Similarity similarity) {
        putDouble(to, similarity.value());
        putDouble(to, similarity.ofFirst());
        putDouble(to, similarity.ofSecond());
        to.putByte(similarity.knowsWhole() ? 1 : 0);
        if (similarity.knowsWhole()) {
            putDouble(to, similarity.whole());
        }
    }

    static Similarity takeSimilarity(ByteReader from) {
        Similarity similarity = new Similarity(takeDouble(from), takeDouble(from), takeDouble(from));
        return from.takeFlag() ? similarity.withWhole(takeDouble(from)) : similarity;
    }

    private static void putDouble(ByteWriter to, double value) {
        to.putLong(Double.doubleToLongBits(value));
    }

    private static double takeDouble(ByteReader from) {
        return Double.longBitsToDouble(from.takeLong());
    }
}
