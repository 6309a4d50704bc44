package io.neardup.streams.store;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.DocumentRef;
import java.util.ArrayList;
import java.util.List;

/**
 * The changelog of an index partition: one record for a batch, the documents that were written together, and one that
 * says which of them are dead by now.
 */
public final class BandLogCodec {
    public static final int VERSION = 4;

    /** How many documents a batch holds at the most: the dead among them are the bits of a long. */
    public static final int BATCH_DOCUMENTS_MAX = Long.SIZE;

    private static final int OF_DOCUMENTS = 0;
    private static final int OF_DEAD = 1;

    public static final Layout<Key> KEY = new Layout<>(
            "a key of the band changelog",
            VERSION,
            (to, key) -> to.putByte(key.dead() ? OF_DEAD : OF_DOCUMENTS).putSmall(key.batch()),
            BandLogCodec::takeKey);

    /** 1 to {@link #BATCH_DOCUMENTS_MAX} documents, all with keys of as many bands. */
    public static final Layout<List<Indexed>> DOCUMENTS =
            new Layout<>("indexed documents", VERSION, BandLogCodec::put, BandLogCodec::takeDocuments);

    /** The dead of a batch, bit i for the document at place i. */
    public static final Layout<Long> DEAD =
            new Layout<>("dead documents", VERSION, ByteWriter::putLong, ByteReader::takeLong);

    private BandLogCodec() {}

    /**
     * The key of a record.
     *
     * @param batch the number of the batch, at least 0
     * @param dead whether the record has the dead of the batch, not its documents
     */
    public record Key(long batch, boolean dead) {}

    /**
     * A document in the buckets.
     *
     * @param keys those of the bands that the partition owns
     * @param refused the bands, as places in {@code keys}, rising, whose buckets were full when it came:
     *     it is not in these
     */
    public record Indexed(DocumentRef document, BandKeys keys, List<Integer> refused) {
        public Indexed {
            refused = List.copyOf(refused);
        }
    }

    private static Key takeKey(ByteReader from) {
        int kind = from.takeByte();
        if (kind != OF_DOCUMENTS && kind != OF_DEAD) {
            throw from.broken("a record of kind 0 or 1", String.valueOf(kind));
        }
        return new Key(from.takeSmall(), kind == OF_DEAD);
    }

    private static void put(ByteWriter to, List<Indexed> documents) {
        int bands = documents.get(0).keys().bands();
        to.putSmall(bands).putSmall(documents.size());
        for (Indexed indexed : documents) {
            to.putRef(indexed.document());
            List<Integer> refused = indexed.refused();
            to.putSmall(refused.size());
            refused.forEach(to::putSmall);
            for (int band = 0; band < bands; band++) {
                to.putLong(indexed.keys().key(band));
            }
        }
    }

    private static List<Indexed> takeDocuments(ByteReader from) {
        int bands = from.takeCount(Long.BYTES);
        int count = from.takeCount(3 + Long.BYTES * bands);
        if (count < 1 || count > BATCH_DOCUMENTS_MAX) {
            throw from.broken("1 to " + BATCH_DOCUMENTS_MAX + " documents", String.valueOf(count));
        }
        List<Indexed> documents = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            documents.add(takeIndexed(from, bands));
        }
        return documents;
    }

    private static Indexed takeIndexed(ByteReader from, int bands) {
        DocumentRef document = from.takeRef();
        int refusedCount = from.takeCount(1);
        List<Integer> refused = new ArrayList<>(refusedCount);
        for (int i = 0; i < refusedCount; i++) {
            refused.add(from.takeInt(bands - 1));
        }
        long[] keys = new long[bands];
        for (int band = 0; band < bands; band++) {
            keys[band] = from.takeLong();
        }
        return new Indexed(document, BandKeys.owning(keys), refused);
    }
}
