package io.neardup.bandlog;

import io.neardup.lsh.ArrayInput;
import io.neardup.lsh.ArrayOutput;
import io.neardup.lsh.BandKeys;
import io.neardup.lsh.BandTable;
import io.neardup.lsh.Candidates;
import io.neardup.protocol.Ref;
import io.neardup.wire.BandLogCodec;
import io.neardup.wire.BandLogCodec.Indexed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A band table with the changelog it is restored from.
 *
 * <p>What one step inserts is one record, a batch, and never written again; its number is used once. What one step removes
 * is one small record for each batch that it was in, which tells all the dead of that batch. A batch of which all are dead
 * is gone from the changelog. So that a feed of duplicates does not leave many batches with few alive, those that leave the
 * {@link RecentBatches} with less than half of the most alive are written anew, many of them as one: everything a record
 * costs is paid about once for 32 documents or more. By then the homes have decided on most. A restart leaves those as they
 * are that it finds outside of the recent ones. A batch that has stayed is written no more, as its band keys are not at hand:
 * whoever dies in it later, by deletion or age, leaves the changelog when the last of the batch does.
 *
 * <p>The table is restored exactly, full buckets too: with a document stands which of its buckets did not take it.
 *
 * <p>Memory: 13 to 14 bytes a document besides the buckets; the recent batches take some 6 MB more at the most.
 */
public final class LoggedBandTable {
    private static final int ALIVE_MIN = Batch.DOCUMENTS_MAX / 2;

    /** As in a record of lookups: what a batch of a step takes cannot be more. */
    private static final int MERGED_BYTES_MAX = 256 * 1024;

    private final BandTable table;
    private final Log log;
    private final Batches batches;
    private final RecentBatches recent;
    /** Batches with few alive that left the recent ones, and wait for more to be written with. */
    private final List<Batch> sparse = new ArrayList<>();

    private @Nullable RestoringTable restoring;

    // The step: the batch it writes, and those in which it removed documents.
    private @Nullable Batch open;
    private final List<Indexed> inserted = new ArrayList<>();
    private final int[] numbers = new int[Batch.DOCUMENTS_MAX];
    private final List<Batch> touched = new ArrayList<>();

    /** Where changelog records go. */
    public interface Log {
        /** Writes a record; without a value it takes out the one of that key. */
        void write(byte[] key, byte @Nullable [] value);
    }

    public LoggedBandTable(BandTable table, RecentBatches recent, Log log) {
        this(table, new Batches(), recent, log);
    }

    private LoggedBandTable(BandTable table, Batches batches, RecentBatches recent, Log log) {
        this.table = table;
        this.batches = batches;
        this.recent = recent;
        this.log = log;
    }

    /**
     * A table that goes on, or is restored further, as the one that was written.
     *
     * @param recent none yet
     */
    static LoggedBandTable readFrom(ArrayInput from, int bands, int bucketMax, RecentBatches recent, Log log)
            throws IOException {
        BandTable table = BandTable.readFrom(from, bands, bucketMax);
        Batches batches = Batches.readFrom(from);
        recent.readFrom(from, batches);
        LoggedBandTable read = new LoggedBandTable(table, batches, recent, log);
        for (int more = from.readInt(); more > 0; more--) {
            read.sparse.add(batches.readReference(from));
        }
        return read;
    }

    /** Writes everything; not while {@link #isInStep a step is open}. */
    void writeTo(ArrayOutput to) throws IOException {
        table().writeTo(to);
        batches.writeTo(to);
        recent.writeTo(to, batches);
        to.writeInt(sparse.size());
        for (Batch batch : sparse) {
            batches.writeReference(batch, to);
        }
    }

    /** Whether something has changed that is not in the changelog yet. */
    public boolean isInStep() {
        return open != null || !touched.isEmpty();
    }

    /** Whether nothing was ever put in. */
    public boolean isNew() {
        return batches.areNew();
    }

    /** Takes a record of the changelog; may come at any time between steps, as when a standby takes over and back. */
    public void restore(byte[] key, byte @Nullable [] value) {
        if (restoring == null) {
            restoring = new RestoringTable(table, batches, recent);
        }
        restoring.apply(key, value);
    }

    private BandTable table() {
        if (restoring != null) {
            restoring.finish();
            restoring = null;
        }
        return table;
    }

    /** As {@link BandTable#candidates(long, BandKeys, int, IntToLongFunction, Candidates)}, by how long each has been here. */
    public int candidates(Ref document, BandKeys keys, int max, Candidates into) {
        return table().candidates(document.packed(), keys, max, batches::age, into);
    }

    public void insert(Ref document, BandKeys keys) {
        int number = table().insert(document.packed(), keys);
        if (number == 0) {
            return;
        }
        if (open == null) {
            open = batches.add();
        }
        int slot = open.add();
        table.tag(number, batches.tag(open, slot));
        numbers[slot] = number;
        inserted.add(new Indexed(document, keys, table.refused()));
        if (inserted.size() == Batch.DOCUMENTS_MAX) {
            writeInserted(open);
        }
    }

    public void remove(Ref document, BandKeys keys) {
        int number = table().find(document.packed(), keys);
        if (number == 0) {
            return;
        }
        int tag = table.tag(number);
        table.remove(document.packed(), keys);
        Batch batch = batches.batch(tag);
        if (!batch.hasUnwrittenDead()) {
            touched.add(batch);
        }
        batch.kill(Batches.slot(tag));
    }

    /** Writes what has changed. */
    public void endStep() {
        if (open != null) {
            writeInserted(open);
        }
        touched.forEach(this::writeDead);
        touched.clear();
        for (Batch leaving = recent.leaving(); leaving != null; leaving = recent.leaving()) {
            leave(leaving);
        }
    }

    private void writeInserted(Batch batch) {
        open = null;
        batch.isInTableAs(Arrays.copyOf(numbers, inserted.size()));
        if (batch.alive() > 0) {
            write(batch, inserted);
            recent.add(batch);
        }
        inserted.clear();
    }

    private void write(Batch batch, List<Indexed> documents) {
        byte[] record = BandLogCodec.encode(new BandLogCodec.Documents(batch.age(), documents));
        log.write(documentsKey(batch), record);
        batch.isWrittenAs(record);
    }

    private void writeDead(Batch batch) {
        if (batch.alive() == 0) {
            takeOut(batch);
        } else {
            log.write(deadKey(batch), BandLogCodec.encodeDead(batch.dead()));
            batch.deadAreWritten();
        }
    }

    private void takeOut(Batch batch) {
        if (batch.isWritten()) {
            log.write(documentsKey(batch), null);
        }
        if (batch.hasWrittenDead()) {
            log.write(deadKey(batch), null);
        }
        batches.free(batch);
    }

    private void leave(Batch batch) {
        if (batch.alive() >= ALIVE_MIN) {
            batch.forget();
        } else if (batch.alive() > 0) {
            sparse.removeIf(other -> other.alive() == 0);
            boolean isFull = aliveWith(batch) > Batch.DOCUMENTS_MAX || bytesWith(batch) > MERGED_BYTES_MAX;
            if (isFull && !sparse.isEmpty()) {
                merge();
            }
            sparse.add(batch);
        }
    }

    private int aliveWith(Batch batch) {
        return batch.alive() + sparse.stream().mapToInt(Batch::alive).sum();
    }

    private int bytesWith(Batch batch) {
        return batch.bytesAlive() + sparse.stream().mapToInt(Batch::bytesAlive).sum();
    }

    /** Writes the living of all sparse batches as one. */
    private void merge() {
        Batch merged = batches.add();
        merged.isOfAge(sparse.get(0).age());
        List<Indexed> living = new ArrayList<>();
        for (Batch batch : sparse) {
            List<Indexed> documents =
                    BandLogCodec.decodeDocuments(batch.content()).documents();
            for (int slot = 0; slot < batch.documents(); slot++) {
                if (!batch.isDead(slot)) {
                    living.add(documents.get(slot));
                    table.tag(batch.number(slot), batches.tag(merged, merged.add()));
                }
            }
        }
        write(merged, living);
        merged.isInTableAs(new int[0]);
        merged.forget();
        sparse.forEach(this::takeOut);
        sparse.clear();
    }

    private static byte[] documentsKey(Batch batch) {
        return BandLogCodec.encode(new BandLogCodec.Key(batch.id(), false));
    }

    private static byte[] deadKey(Batch batch) {
        return BandLogCodec.encode(new BandLogCodec.Key(batch.id(), true));
    }

    public long documents() {
        return table().documents();
    }

    public long bytes() {
        return table().bytes() + batches.bytes() + recent.bytes();
    }

    /** How often a full bucket refused a document since the start. */
    public long bucketsFull() {
        return table().bucketsFull();
    }
}
