package io.neardup.streams.store;

import io.neardup.engine.lsh.ArrayInput;
import io.neardup.engine.lsh.ArrayOutput;
import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.lsh.SharedBands;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.streams.store.BandLogCodec.Indexed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A band table with the changelog it is restored from.
 *
 * <p>Changes gather until they are written, or a page is full. What was inserted meanwhile is one record, a
 * {@link ChangelogSegment}. It is never written again, and its number is used once. What was removed is one small
 * record for each page that it was in, which tells all the dead of that page. A page of which all are dead is gone from
 * the changelog.
 *
 * <p>A feed of duplicates would leave many pages with few alive. So pages that leave the {@link RecentSegments} with
 * less than half of the most alive are merged: written anew, many of them as one. What a record costs is paid about
 * once for 32 documents or more. By then the coordinators have decided on most. A restart does not merge what it finds
 * outside of the recent ones.
 *
 * <p>A page that was not merged is never written again, as its band keys are not at hand. Whoever dies in it later, by
 * deletion or age, leaves the changelog when the last of the page does.
 *
 * <p>The table is restored exactly, full buckets too: a record tells which buckets did not take a document.
 *
 * <p>Memory: 13 to 14 bytes a document besides the buckets; the recent pages take some 6 MB more at the most.
 */
public final class LoggedBandTable {
    private static final int ALIVE_MIN = ChangelogSegment.DOCUMENTS_MAX / 2;

    /** As in a record of lookups. */
    private static final int MERGED_BYTES_MAX = 256 * 1024;

    private final BandTable table;
    private final Log log;
    private final ChangelogSegments pages;
    private final RecentSegments recent;
    /** Pages with few alive that left the recent ones, and wait for more to be written with. */
    private final List<ChangelogSegment> sparse = new ArrayList<>();

    private @Nullable RestoringTable restoring;
    private long changes;

    // Not written yet: the page that gathers, and those in which documents were removed.
    private @Nullable ChangelogSegment open;
    private final List<Indexed> inserted = new ArrayList<>();
    private final int[] numbers = new int[ChangelogSegment.DOCUMENTS_MAX];
    private final List<ChangelogSegment> touched = new ArrayList<>();

    /** Where changelog records go. */
    public interface Log {
        /** Writes a record; without a value it takes out the one of that key. */
        void write(byte[] key, byte @Nullable [] value);
    }

    public LoggedBandTable(BandTable table, RecentSegments recent, Log log) {
        this(table, new ChangelogSegments(), recent, log);
    }

    private LoggedBandTable(BandTable table, ChangelogSegments pages, RecentSegments recent, Log log) {
        this.table = table;
        this.pages = pages;
        this.recent = recent;
        this.log = log;
    }

    /**
     * A table that goes on, or is restored further, as the one that was written.
     *
     * @param recent none yet
     */
    static LoggedBandTable readFrom(ArrayInput from, int bands, int bucketMax, RecentSegments recent, Log log)
            throws IOException {
        BandTable table = BandTable.readFrom(from, bands, bucketMax);
        ChangelogSegments pages = ChangelogSegments.readFrom(from);
        recent.readFrom(from, pages);
        LoggedBandTable read = new LoggedBandTable(table, pages, recent, log);
        for (int more = from.readInt(); more > 0; more--) {
            read.sparse.add(pages.readReference(from));
        }
        return read;
    }

    /**
     * Begins to write everything while steps go on. To restore further is to {@linkplain #dropCopy give it up} first.
     */
    void beginCopy(ArrayOutput to) {
        table().beginCopy(to);
    }

    /** Writes about so many more bytes of the copy; whether only its end is missing. */
    boolean advanceCopy(long bytes) throws IOException {
        return table.advanceCopy(bytes);
    }

    /** Writes all that is missing of the copy; not while {@linkplain #hasUnwrittenChanges something is not written}. */
    void endCopy(ArrayOutput to) throws IOException {
        table.endCopy();
        pages.writeTo(to);
        recent.writeTo(to, pages);
        to.writeInt(sparse.size());
        for (ChangelogSegment page : sparse) {
            pages.writeReference(page, to);
        }
    }

    void dropCopy() {
        table.dropCopy();
    }

    /** How many documents came or went since the table was opened, those too that were restored since. */
    long changes() {
        return changes;
    }

    /** Whether something has changed that is not in the changelog yet. */
    public boolean hasUnwrittenChanges() {
        return open != null || !touched.isEmpty();
    }

    /** Whether nothing was ever put in. */
    public boolean isNew() {
        return pages.areNew();
    }

    /** Takes a record of the changelog; may come at any time between steps, as when a standby takes over and back. */
    public void restore(byte[] key, byte @Nullable [] value) {
        if (restoring == null) {
            restoring = new RestoringTable(table, pages, recent);
        }
        restoring.apply(key, value);
    }

    private BandTable table() {
        if (restoring != null) {
            restoring.finish();
            changes += restoring.documents();
            restoring = null;
        }
        return table;
    }

    /**
     * As {@link BandTable#candidates(long, BandKeys, int, IntToLongFunction, SharedBands)}, by how long each has been
     * here.
     */
    public int candidates(DocumentRef document, BandKeys keys, int max, SharedBands into) {
        return table().candidates(document.packed(), keys, max, pages::age, into);
    }

    /** As {@link BandTable#fullBuckets}. */
    public int fullBuckets() {
        return table().fullBuckets();
    }

    /**
     * As {@link BandTable#insert}. A document that comes again, and that a bucket takes which was full before, is
     * inserted anew: its record tells which buckets refused it, and is never written again.
     */
    public void insert(DocumentRef document, BandKeys keys) {
        if (table().hasRoomAgain(document.packed(), keys)) {
            remove(document, keys);
        }
        int number = table.insert(document.packed(), keys);
        if (number == 0) {
            return;
        }
        changes++;
        if (open == null) {
            open = pages.add();
        }
        int slot = open.add();
        table.tag(number, pages.tag(open, slot));
        numbers[slot] = number;
        inserted.add(new Indexed(document, keys, table.refused()));
        if (inserted.size() == ChangelogSegment.DOCUMENTS_MAX) {
            writeInserted(open);
        }
    }

    public void remove(DocumentRef document, BandKeys keys) {
        int number = table().find(document.packed(), keys);
        if (number == 0) {
            return;
        }
        changes++;
        int tag = table.tag(number);
        table.remove(document.packed(), keys);
        ChangelogSegment page = pages.page(tag);
        if (!page.hasUnwrittenDead()) {
            touched.add(page);
        }
        page.kill(ChangelogSegments.slot(tag));
    }

    /**
     * As {@link BandTable#drop}. The changelog is not told, as the other buckets of the document are not known here: a
     * restart may bring it back, until it is dropped again.
     */
    public void drop(DocumentRef document, BandKeys keys) {
        table().drop(document.packed(), keys);
    }

    /** Writes what has changed into the changelog; to be called before a commit. */
    public void writeChanges() {
        if (open != null) {
            writeInserted(open);
        }
        touched.forEach(this::writeDead);
        touched.clear();
        for (ChangelogSegment leaving = recent.leaving(); leaving != null; leaving = recent.leaving()) {
            leave(leaving);
        }
    }

    private void writeInserted(ChangelogSegment page) {
        page.markInTable(Arrays.copyOf(numbers, inserted.size()));
        if (page.alive() > 0) {
            write(page, inserted);
            recent.add(page);
        }
        open = null;
        inserted.clear();
    }

    private void write(ChangelogSegment page, List<Indexed> documents) {
        byte[] record = BandLogCodec.encode(new BandLogCodec.Documents(page.age(), documents));
        log.write(documentsKey(page), record);
        page.markWritten(record);
    }

    private void writeDead(ChangelogSegment page) {
        if (page.alive() == 0) {
            takeOut(page);
        } else {
            log.write(deadKey(page), BandLogCodec.encodeDead(page.dead()));
            page.markDeadWritten();
        }
    }

    private void takeOut(ChangelogSegment page) {
        if (page.isWritten()) {
            log.write(documentsKey(page), null);
        }
        if (page.hasWrittenDead()) {
            log.write(deadKey(page), null);
        }
        pages.free(page);
    }

    private void leave(ChangelogSegment page) {
        if (page.alive() >= ALIVE_MIN) {
            page.forget();
        } else if (page.alive() > 0) {
            sparse.removeIf(other -> other.alive() == 0);
            boolean isFull = aliveWith(page) > ChangelogSegment.DOCUMENTS_MAX || bytesWith(page) > MERGED_BYTES_MAX;
            if (isFull && !sparse.isEmpty()) {
                merge();
            }
            sparse.add(page);
        }
    }

    private int aliveWith(ChangelogSegment page) {
        return page.alive() + sparse.stream().mapToInt(ChangelogSegment::alive).sum();
    }

    private int bytesWith(ChangelogSegment page) {
        return page.bytesAlive()
                + sparse.stream().mapToInt(ChangelogSegment::bytesAlive).sum();
    }

    /** Writes the living of all sparse pages as one. */
    private void merge() {
        ChangelogSegment merged = pages.add();
        merged.setAge(sparse.get(0).age());
        List<Indexed> living = new ArrayList<>();
        for (ChangelogSegment page : sparse) {
            List<Indexed> documents =
                    BandLogCodec.decodeDocuments(page.content()).documents();
            for (int slot = 0; slot < page.documents(); slot++) {
                if (!page.isDead(slot)) {
                    living.add(documents.get(slot));
                    table.tag(page.number(slot), pages.tag(merged, merged.add()));
                }
            }
        }
        write(merged, living);
        merged.markInTable(new int[0]);
        merged.forget();
        sparse.forEach(this::takeOut);
        sparse.clear();
    }

    private static byte[] documentsKey(ChangelogSegment page) {
        return BandLogCodec.encode(new BandLogCodec.Key(page.id(), false));
    }

    private static byte[] deadKey(ChangelogSegment page) {
        return BandLogCodec.encode(new BandLogCodec.Key(page.id(), true));
    }

    public long documents() {
        return table().documents();
    }

    public long bytes() {
        return table().bytes() + pages.bytes() + recent.bytes();
    }

    /** How often a full bucket refused a document since the start. */
    public long bucketsFull() {
        return table().bucketsFull();
    }
}
