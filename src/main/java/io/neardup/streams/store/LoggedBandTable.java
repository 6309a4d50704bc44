package io.neardup.streams.store;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.lsh.BandTable.Rewrite;
import io.neardup.engine.lsh.SharedBands;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.streams.store.BandLogCodec.Indexed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
 * <p>The tag of a document in the table is the id of its batch and its slot in there. So the segments of the table know
 * what the changelog calls a document, and only of batches in memory is there anything on the heap.
 *
 * <p>The table is restored exactly, full buckets too: a record says which buckets did not take a document.
 */
public final class LoggedBandTable {
    private static final int BATCH_MAX = BandLogCodec.BATCH_DOCUMENTS_MAX;

    /** As many documents that were read last wait until it is known which of them are dead. */
    private static final int WAITING_MAX = 16_384;
    /** So many dead are swept out of the buckets together. */
    private static final int STALE_MIN = 10_000;

    private final BandTable table;
    private final Log log;
    /** Those in memory. Of all before the first of them everything alive is in segments. */
    private final Map<Long, Batch> batches = new HashMap<>();

    private long firstInMemory;
    private long nextId;

    // Not written yet: the batch that gathers, and those in which documents were removed.
    private @Nullable Batch open;
    private final List<Indexed> inserted = new ArrayList<>();
    private final Set<Long> touched = new LinkedHashSet<>();

    // While it is restored.
    private final Deque<Batch> waiting = new ArrayDeque<>();
    private int waitingDocuments;
    /** How many dead are in the buckets: they are not seen, as nothing is looked up meanwhile. */
    private int stale;

    /** Where changelog records go. */
    public interface Log {
        /** Writes a record; without a value it takes out the one of that key. */
        void write(byte[] key, byte @Nullable [] value);
    }

    /** Documents that went into the changelog together, and which of them are dead by now: bit i is slot i. */
    private static final class Batch {
        final long id;
        int documents;
        long dead;
        boolean isWritten;
        boolean hasWrittenDead;
        /** What was read of the changelog, until it is in the table. */
        List<Indexed> read = List.of();

        Batch(long id) {
            this.id = id;
        }

        long alive() {
            return ~dead & (-1L >>> (Long.SIZE - documents));
        }
    }

    /** An empty one. */
    public LoggedBandTable(BandTable table, Log log) {
        this(table, 0, 0, log);
    }

    /**
     * One that goes on with segments.
     *
     * @param firstInMemory above the ids of all batches of which the table has documents
     * @param nextId above the ids of all batches that there ever were
     */
    public LoggedBandTable(BandTable table, long firstInMemory, long nextId, Log log) {
        this.table = table;
        this.log = log;
        this.firstInMemory = firstInMemory;
        this.nextId = nextId;
    }

    // ---- lookups and changes

    /** As {@link BandTable#candidates(long, BandKeys, int, SharedBands)}. */
    public int candidates(DocumentRef document, BandKeys keys, int max, SharedBands into) {
        return table().candidates(document.packed(), keys, max, into);
    }

    /**
     * As {@link BandTable#insert}. A document that comes again, and that a bucket takes which was full before, is
     * inserted anew: its record says which buckets refused it, and is never written again.
     */
    public void insert(DocumentRef document, BandKeys keys) {
        if (table().hasRoomAgain(document.packed(), keys)) {
            remove(document, keys);
        }
        int number = table.insert(document.packed(), keys);
        if (number == 0) {
            return;
        }
        if (open == null) {
            open = new Batch(nextId++);
            batches.put(open.id, open);
        }
        table.tag(number, tag(open.id) + open.documents);
        open.documents++;
        inserted.add(new Indexed(document, keys, table.refused()));
        if (inserted.size() == BATCH_MAX) {
            writeInserted(open);
        }
    }

    public void remove(DocumentRef document, BandKeys keys) {
        int number = table().find(document.packed(), keys);
        if (number == 0) {
            return;
        }
        long tag = table.tag(number);
        table.remove(document.packed(), keys);
        touched.add(tag / BATCH_MAX);
        Batch batch = batches.get(tag / BATCH_MAX);
        if (batch != null) {
            batch.dead |= 1L << (tag % BATCH_MAX);
        }
    }

    /**
     * As {@link BandTable#drop}. It is not logged, as the other buckets of the document are not known here: a
     * restart may bring it back, until it is dropped again.
     */
    public void drop(DocumentRef document, BandKeys keys) {
        table().drop(document.packed(), keys);
    }

    /** The tag of the first document of a batch; those of the others follow. */
    private static long tag(long batch) {
        return batch * BATCH_MAX;
    }

    // ---- the changelog is written

    /** Whether something has changed that is not in the changelog yet. */
    public boolean hasUnwrittenChanges() {
        return open != null || !touched.isEmpty();
    }

    /** Writes what has changed into the changelog; to be called before a commit. */
    public void writeChanges() {
        if (open != null) {
            writeInserted(open);
        }
        touched.forEach(this::writeDead);
        touched.clear();
    }

    private void writeInserted(Batch batch) {
        if (batch.alive() != 0) {
            log.write(key(batch.id, false), BandLogCodec.DOCUMENTS.encode(inserted));
            batch.isWritten = true;
        }
        open = null;
        inserted.clear();
    }

    private void writeDead(long id) {
        Batch batch = batches.get(id);
        long alive = batch == null ? inSegments(id) : batch.alive();
        if (alive != 0) {
            log.write(key(id, true), BandLogCodec.DEAD.encode(~alive));
            if (batch != null) {
                batch.hasWrittenDead = true;
            }
            return;
        }
        if (batch == null || batch.isWritten) {
            log.write(key(id, false), null);
        }
        if (batch == null || batch.hasWrittenDead) {
            log.write(key(id, true), null);
        }
        batches.remove(id);
    }

    private long inSegments(long batch) {
        long[] alive = table.inSegments(tag(batch), BATCH_MAX).toLongArray();
        return alive.length == 0 ? 0 : alive[0];
    }

    private static byte[] key(long batch, boolean dead) {
        return BandLogCodec.KEY.encode(new BandLogCodec.Key(batch, dead));
    }

    // ---- segments

    /** Documents that are in no segment. */
    public int inMemory() {
        return table.inMemory() + waitingDocuments;
    }

    /** As {@link BandTable#freeze}; not while {@linkplain #hasUnwrittenChanges something is not written}. */
    public Rewrite freeze() {
        Rewrite begun = table().freeze();
        firstInMemory = Math.max(firstInMemory, 1 + batches.keySet().stream().max(Long::compare).orElse(-1L));
        batches.clear();
        return begun;
    }

    /** Above the ids of all batches that were read or written: more may have been when the segments were written. */
    public long firstToRead() {
        return firstInMemory;
    }

    /** Above the ids of all batches that there ever were. */
    public long nextId() {
        return nextId;
    }

    public long documents() {
        return table().documents();
    }

    // ---- it is restored

    /**
     * Takes a record of the changelog; may come at any time between steps, as when a standby takes over and back.
     * Compaction may have taken any record that a later one of the same key replaces.
     *
     * <p>A record of the dead comes behind that of their batch and names no keys. So batches wait until many came
     * behind them before they go into the table: most of the dead are known by then and never go there. Those that die
     * in the table stay in its buckets, until all of them are swept out together: when they are many against the
     * living, and in the end.
     */
    public void restore(byte[] keyBytes, byte @Nullable [] value) {
        BandLogCodec.Key key = BandLogCodec.KEY.decode(keyBytes);
        nextId = Math.max(nextId, key.batch() + 1);
        if (!key.dead() && value != null) {
            addRead(key.batch(), BandLogCodec.DOCUMENTS.decode(value));
        } else if (!key.dead()) {
            kill(key.batch(), -1L);
            batches.remove(key.batch());
        } else if (value != null) {
            kill(key.batch(), BandLogCodec.DEAD.decode(value));
        }
    }

    private void addRead(long id, List<Indexed> documents) {
        if (id < firstInMemory || batches.containsKey(id)) {
            return;
        }
        Batch batch = new Batch(id);
        batch.documents = documents.size();
        batch.isWritten = true;
        batch.read = documents;
        batches.put(id, batch);
        waiting.add(batch);
        waitingDocuments += documents.size();
        while (waitingDocuments > WAITING_MAX) {
            putFirstIntoTable();
        }
    }

    private void putFirstIntoTable() {
        Batch batch = waiting.remove();
        waitingDocuments -= batch.documents;
        for (int slot = 0; slot < batch.documents; slot++) {
            if ((batch.alive() >>> slot & 1) != 0) {
                Indexed indexed = batch.read.get(slot);
                int number =
                        table.restore(indexed.document().packed(), indexed.keys(), indexed.refused(), this::isDead);
                table.tag(number, tag(batch.id) + slot);
            }
        }
        batch.read = List.of();
    }

    private void kill(long id, long slots) {
        Batch batch = batches.get(id);
        if (batch == null) {
            table.removeFromSegments(tag(id), BitSet.valueOf(new long[] {slots}));
            return;
        }
        long before = batch.alive();
        batch.dead |= slots;
        batch.hasWrittenDead = true;
        if (batch.read.isEmpty()) {
            stale += Long.bitCount(before & slots);
        }
        if (stale >= STALE_MIN && stale > table.inMemory() / 3) {
            sweep();
        }
    }

    private boolean isDead(long tag) {
        Batch batch = batches.get(tag / BATCH_MAX);
        return batch == null || (batch.dead >>> (tag % BATCH_MAX) & 1) != 0;
    }

    private void sweep() {
        table.sweep(this::isDead);
        stale = 0;
    }

    /** The table with everything alive in it, and nothing else. */
    private BandTable table() {
        while (!waiting.isEmpty()) {
            putFirstIntoTable();
        }
        if (stale > 0) {
            sweep();
        }
        return table;
    }
}
