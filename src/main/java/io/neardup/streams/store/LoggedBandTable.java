package io.neardup.streams.store;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.lsh.SharedBands;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.streams.store.BandLogCodec.Indexed;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A band table with the changelog it is restored from.
 *
 * <p>Changes gather until they are written, or a batch is full. What was inserted meanwhile is a batch: one record,
 * which is never written again, and whose id is used once. What was removed is one small record for each batch that it
 * was in, which has all the dead of that batch. A batch of which all are dead is gone from the changelog; until then it
 * is there as a whole.
 *
 * <p>The tag of a document in the table is the id of its batch and its slot in there. So the table knows what the
 * changelog calls a document, and nothing but the batch that gathers is on the heap.
 *
 * <p>The table is restored exactly, full buckets too: a record says which buckets did not take a document.
 */
public final class LoggedBandTable {
    private static final int BATCH_MAX = BandLogCodec.BATCH_DOCUMENTS_MAX;

    private final BandTable table;
    private final Log log;
    /** All before it are in the table. */
    private long firstToRead;

    /** Also the id of the batch that gathers. */
    private long nextId;

    // Not written yet: the batch that gathers, and those in which documents were removed.
    private final List<Indexed> inserted = new ArrayList<>();
    private final Set<Long> touched = new LinkedHashSet<>();

    /** Where changelog records go. */
    public interface Log {
        /** Writes a record; without a value it takes out the one of that key. */
        void write(byte[] key, byte @Nullable [] value);
    }

    /**
     * One that goes on with segments.
     *
     * @param firstToRead above the ids of all batches of which the table has documents
     * @param nextId above the ids of all batches that there ever were
     */
    public LoggedBandTable(BandTable table, long firstToRead, long nextId, Log log) {
        this.table = table;
        this.log = log;
        this.firstToRead = firstToRead;
        this.nextId = nextId;
    }

    // ---- lookups and changes

    /** As {@link BandTable#candidates}. */
    public int candidates(DocumentRef document, BandKeys keys, int max, SharedBands into) {
        return table.candidates(document.packed(), keys, max, into);
    }

    /**
     * As {@link BandTable#insert}. A document that comes again, and that a bucket takes which was full before, is
     * inserted anew: its record says which buckets refused it, and is never written again.
     */
    public void insert(DocumentRef document, BandKeys keys) {
        if (table.hasRoomAgain(document.packed(), keys)) {
            remove(document, keys);
        }
        if (table.insert(document.packed(), keys, tag(nextId) + inserted.size())) {
            inserted.add(new Indexed(document, keys, table.refused()));
            if (inserted.size() == BATCH_MAX) {
                writeInserted();
            }
        }
    }

    public void remove(DocumentRef document, BandKeys keys) {
        long tag = table.remove(document.packed(), keys);
        if (tag != BandTable.NONE) {
            touched.add(tag / BATCH_MAX);
        }
    }

    /** The tag of the first document of a batch; those of the others follow. */
    private static long tag(long batch) {
        return batch * BATCH_MAX;
    }

    /** Who is alive of a batch: bit i is slot i. */
    private long alive(long batch) {
        long[] alive = table.tagged(tag(batch), BATCH_MAX).toLongArray();
        return alive.length == 0 ? 0 : alive[0];
    }

    // ---- the changelog is written

    /** Whether something has changed that is not in the changelog yet. */
    public boolean hasUnwrittenChanges() {
        return !inserted.isEmpty() || !touched.isEmpty();
    }

    /** Writes what has changed into the changelog; to be called before a commit. */
    public void writeChanges() {
        if (!inserted.isEmpty()) {
            writeInserted();
        }
        touched.forEach(this::writeDead);
        touched.clear();
    }

    /** Those who are dead already go with the others; where all are, the record tells a standby no more than the id. */
    private void writeInserted() {
        boolean isAlive = alive(nextId) != 0;
        log.write(key(nextId, false), isAlive ? BandLogCodec.DOCUMENTS.encode(inserted) : null);
        if (!isAlive) {
            touched.remove(nextId);
        }
        nextId++;
        firstToRead = nextId;
        inserted.clear();
    }

    private void writeDead(long id) {
        long alive = alive(id);
        if (alive == 0) {
            log.write(key(id, false), null);
        }
        log.write(key(id, true), alive == 0 ? null : BandLogCodec.DEAD.encode(~alive));
    }

    private static byte[] key(long batch, boolean dead) {
        return BandLogCodec.KEY.encode(new BandLogCodec.Key(batch, dead));
    }

    // ---- for the manifest of its segments

    /** Above the ids of all batches that were read or written: more may have been when the segments were written. */
    public long firstToRead() {
        return firstToRead;
    }

    /** Above the ids of all batches that there ever were. */
    public long nextId() {
        return nextId;
    }

    public long documents() {
        return table.documents();
    }

    // ---- it is restored

    /**
     * Takes a record of the changelog; may come at any time between steps, as when a standby takes over and back.
     * Compaction may have taken any record that a later one of the same key replaces.
     */
    public void restore(byte[] keyBytes, byte @Nullable [] value) {
        BandLogCodec.Key key = BandLogCodec.KEY.decode(keyBytes);
        nextId = Math.max(nextId, key.batch() + 1);
        if (key.dead()) {
            if (value != null) {
                kill(key.batch(), BandLogCodec.DEAD.decode(value));
            }
        } else if (value == null) {
            kill(key.batch(), -1L);
        } else if (key.batch() >= firstToRead) {
            add(key.batch(), BandLogCodec.DOCUMENTS.decode(value));
        }
    }

    private void add(long batch, List<Indexed> documents) {
        for (int slot = 0; slot < documents.size(); slot++) {
            Indexed indexed = documents.get(slot);
            table.restore(indexed.document().packed(), indexed.keys(), indexed.refused(), tag(batch) + slot);
        }
        firstToRead = batch + 1;
    }

    private void kill(long batch, long slots) {
        table.removeTagged(tag(batch), BitSet.valueOf(new long[] {slots}));
    }
}
