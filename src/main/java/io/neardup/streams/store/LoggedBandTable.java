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
 * <p>Changes gather until they are written, or a batch is full. Inserted documents form a batch: one record, which is
 * never written again, and whose id is used once. For each batch with removed documents there is a small record with
 * all that were removed from it. When all are, the batch leaves the changelog; until then it is there as a whole.
 *
 * <p>The tag of a document in the table is the id of its batch and its slot there. So a document can be found in the
 * changelog by its tag, and only the batch that gathers is on the heap.
 *
 * <p>The table is restored exactly, full buckets too: a record says which buckets did not take a document.
 */
public final class LoggedBandTable {
    private static final int BATCH_MAX = BandLogCodec.BATCH_DOCUMENTS_MAX;

    private final BandTable table;
    private final Log log;
    /** The table has all batches before it. */
    private long firstToRead;

    /** Also the id of the batch that gathers. */
    private long nextId;

    // Not written yet: the batch that gathers, and the ids of those from which documents were removed.
    private final List<Indexed> inserted = new ArrayList<>();
    private final Set<Long> touched = new LinkedHashSet<>();

    /** Where changelog records go. */
    public interface Log {
        /** Writes a record; without a value it deletes that of the key. */
        void write(byte[] key, byte @Nullable [] value);
    }

    /**
     * A table that may have segments already.
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
     * As {@link BandTable#insert}. If a document comes again, and a bucket has room that was full before, the document
     * is inserted anew: its record, which tells the buckets that refused it, is never written again.
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

    /** The documents of a batch that are not removed: bit i is slot i. */
    private long alive(long batch) {
        long[] alive = table.tagged(tag(batch), BATCH_MAX).toLongArray();
        return alive.length == 0 ? 0 : alive[0];
    }

    // ---- the changelog is written

    /** Whether there are changes that are not in the changelog yet. */
    public boolean hasUnwrittenChanges() {
        return !inserted.isEmpty() || !touched.isEmpty();
    }

    /** Writes changes into the changelog; to be called before a commit. */
    public void writeChanges() {
        if (!inserted.isEmpty()) {
            writeInserted();
        }
        touched.forEach(this::writeDead);
        touched.clear();
    }

    /** Includes documents that were removed since; if all were, the record only tells a standby that the id is used. */
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

    /** Above the ids of all batches that were restored or written. */
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
     * Restores a record of the changelog; possible at any time between steps, as when a standby takes over and back.
     * Compaction may have deleted any record that a later one of the same key replaces.
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
