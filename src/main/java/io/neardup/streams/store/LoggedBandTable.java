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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A band table with the changelog it is restored from.
 *
 * <p>Changes gather until they are written, or a segment is full. What was inserted meanwhile is one record, a
 * {@link ChangelogSegment}. It is never written again, and its number is used once. What was removed is one small
 * record for each segment that it was in, which has all the dead of that segment. A segment of which all are dead is
 * gone from the changelog.
 *
 * <p>A feed of duplicates would leave many segments with few alive. So segments that leave the recent ones
 * with less than half of the most alive are merged: written anew, many of them as one. What a record costs is paid
 * about once for 32 documents or more. By then the coordinators have decided on most. A restart does not merge what it
 * finds outside of the recent ones.
 *
 * <p>A segment that was not merged is never written again, as its band keys are not at hand. Whoever dies in it later,
 * by deletion or age, leaves the changelog when the last of the segment does.
 *
 * <p>The table is restored exactly, full buckets too: a record says which buckets did not take a document.
 *
 * <p>Memory: 13 to 14 bytes a document besides the buckets; the recent segments take some 6 MB more at the most.
 */
public final class LoggedBandTable {
    private static final int ALIVE_MIN = ChangelogSegment.DOCUMENTS_MAX / 2;

    /** As in a record of lookups. */
    private static final int MERGED_BYTES_MAX = 256 * 1024;

    private final BandTable table;
    private final Log log;
    private final ChangelogSegments segments;
    /** Segments with few alive that left the recent ones, and wait for more to be written with. */
    private final List<ChangelogSegment> sparse = new ArrayList<>();

    private @Nullable RestoringTable restoring;
    private long changes;

    // Not written yet: the segment that gathers, and those in which documents were removed.
    private @Nullable ChangelogSegment open;
    private final List<Indexed> inserted = new ArrayList<>();
    private final int[] numbers = new int[ChangelogSegment.DOCUMENTS_MAX];
    private final List<ChangelogSegment> touched = new ArrayList<>();

    /** Where changelog records go. */
    public interface Log {
        /** Writes a record; without a value it takes out the one of that key. */
        void write(byte[] key, byte @Nullable [] value);
    }

    public LoggedBandTable(BandTable table, Log log) {
        this(table, ChangelogSegments.RECENT_MAX, log);
    }

    /** @param recentMax documents in recent segments, at the most */
    LoggedBandTable(BandTable table, int recentMax, Log log) {
        this(table, new ChangelogSegments(recentMax), log);
    }

    private LoggedBandTable(BandTable table, ChangelogSegments segments, Log log) {
        this.table = table;
        this.segments = segments;
        this.log = log;
    }

    /** A table that goes on, or is restored further, as the one that was written. */
    static LoggedBandTable readFrom(ArrayInput from, int bands, int bucketMax, int recentMax, Log log)
            throws IOException {
        BandTable table = BandTable.readFrom(from, bands, bucketMax);
        ChangelogSegments segments = ChangelogSegments.readFrom(from, recentMax);
        LoggedBandTable read = new LoggedBandTable(table, segments, log);
        read.sparse.addAll(segments.readReferences(from));
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
        segments.writeTo(to);
        segments.writeReferences(sparse, to);
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
        return segments.areNew();
    }

    /** Takes a record of the changelog; may come at any time between steps, as when a standby takes over and back. */
    public void restore(byte[] key, byte @Nullable [] value) {
        if (restoring == null) {
            restoring = new RestoringTable(table, segments);
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
        return table().candidates(document.packed(), keys, max, segments::age, into);
    }

    /** As {@link BandTable#fullBuckets}. */
    public int fullBuckets() {
        return table().fullBuckets();
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
        changes++;
        if (open == null) {
            open = segments.add();
        }
        int slot = open.add();
        table.tag(number, segments.tag(open, slot));
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
        ChangelogSegment segment = segments.segment(tag);
        if (!segment.hasUnwrittenDead()) {
            touched.add(segment);
        }
        segment.kill(ChangelogSegments.slot(tag));
    }

    /**
     * As {@link BandTable#drop}. It is not logged, as the other buckets of the document are not known here: a
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
        for (ChangelogSegment leaving = segments.leavingRecent(); leaving != null; leaving = segments.leavingRecent()) {
            leave(leaving);
        }
    }

    private void writeInserted(ChangelogSegment segment) {
        segment.markInTable(Arrays.copyOf(numbers, inserted.size()));
        if (segment.alive() > 0) {
            write(segment, inserted);
            segments.addRecent(segment);
        }
        open = null;
        inserted.clear();
    }

    private void write(ChangelogSegment segment, List<Indexed> documents) {
        byte[] record = BandLogCodec.DOCUMENTS.encode(new BandLogCodec.Documents(segment.age(), documents));
        log.write(documentsKey(segment), record);
        segment.markWritten(record);
    }

    private void writeDead(ChangelogSegment segment) {
        if (segment.alive() == 0) {
            takeOut(segment);
        } else {
            log.write(deadKey(segment), BandLogCodec.DEAD.encode(segment.dead()));
            segment.markDeadWritten();
        }
    }

    private void takeOut(ChangelogSegment segment) {
        if (segment.isWritten()) {
            log.write(documentsKey(segment), null);
        }
        if (segment.hasWrittenDead()) {
            log.write(deadKey(segment), null);
        }
        segments.free(segment);
    }

    private void leave(ChangelogSegment segment) {
        if (segment.alive() >= ALIVE_MIN) {
            segment.forget();
        } else if (segment.alive() > 0) {
            sparse.removeIf(other -> other.alive() == 0);
            boolean isFull =
                    aliveWith(segment) > ChangelogSegment.DOCUMENTS_MAX || bytesWith(segment) > MERGED_BYTES_MAX;
            if (isFull && !sparse.isEmpty()) {
                merge();
            }
            sparse.add(segment);
        }
    }

    private int aliveWith(ChangelogSegment segment) {
        return segment.alive()
                + sparse.stream().mapToInt(ChangelogSegment::alive).sum();
    }

    private int bytesWith(ChangelogSegment segment) {
        return segment.bytesAlive()
                + sparse.stream().mapToInt(ChangelogSegment::bytesAlive).sum();
    }

    /** Writes the living of all sparse segments as one. */
    private void merge() {
        ChangelogSegment merged = segments.add();
        merged.setAge(sparse.get(0).age());
        List<Indexed> living = new ArrayList<>();
        for (ChangelogSegment segment : sparse) {
            List<Indexed> documents =
                    BandLogCodec.DOCUMENTS.decode(segment.content()).documents();
            for (int slot = 0; slot < segment.documents(); slot++) {
                if (!segment.isDead(slot)) {
                    living.add(documents.get(slot));
                    table.tag(segment.number(slot), segments.tag(merged, merged.add()));
                }
            }
        }
        write(merged, living);
        merged.markInTable(new int[0]);
        merged.forget();
        sparse.forEach(this::takeOut);
        sparse.clear();
    }

    private static byte[] documentsKey(ChangelogSegment segment) {
        return BandLogCodec.KEY.encode(new BandLogCodec.Key(segment.id(), false));
    }

    private static byte[] deadKey(ChangelogSegment segment) {
        return BandLogCodec.KEY.encode(new BandLogCodec.Key(segment.id(), true));
    }

    public long documents() {
        return table().documents();
    }

    public long bytes() {
        return table().bytes() + segments.bytes();
    }

    /** How often a full bucket refused a document since the start. */
    public long bucketsFull() {
        return table().bucketsFull();
    }

    /**
     * Fills a band table from its changelog. Compaction may have taken any record that a later one of the same key
     * replaces.
     *
     * <p>A record of the dead comes behind that of their segment and names no keys. So segments wait until they are
     * recent no longer before they go into the table: most of the dead are known by then and never go there.
     *
     * <p>Those that die in the table stay in its buckets. They are not seen, as nothing is looked up meanwhile. All of
     * them are swept out together: when they are many against the living, and in the end. Their numbers are not used
     * again before.
     */
    private static final class RestoringTable {
        private static final int STALE_MIN = 10_000;

        private final BandTable table;
        private final ChangelogSegments segments;
        private final Map<Long, ChangelogSegment> byId;
        private int stale;
        private long documents;

        RestoringTable(BandTable table, ChangelogSegments segments) {
            this.table = table;
            this.segments = segments;
            byId = segments.all()
                    .collect(Collectors.toMap(ChangelogSegment::id, segment -> segment, (a, b) -> b, HashMap::new));
        }

        void apply(byte[] keyBytes, byte @Nullable [] value) {
            BandLogCodec.Key key = BandLogCodec.KEY.decode(keyBytes);
            segments.markSeen(key.segment());
            ChangelogSegment segment = byId.get(key.segment());
            if (key.dead()) {
                // Of a segment that is gone, the dead are gone too: a later tombstone says so.
                if (segment != null && value != null) {
                    kill(segment, BandLogCodec.DEAD.decode(value));
                    segment.markDeadWritten();
                }
            } else if (value == null) {
                if (segment != null) {
                    remove(segment);
                }
            } else if (segment == null) {
                add(key.segment(), value);
            }
        }

        private void add(long id, byte[] value) {
            BandLogCodec.Documents read = BandLogCodec.DOCUMENTS.decode(value);
            documents += read.documents().size();
            ChangelogSegment segment = segments.add(id);
            segment.add(read.documents().size());
            segment.setAge(read.age());
            segment.markWritten(value);
            byId.put(id, segment);
            segments.addRecent(segment);
            for (ChangelogSegment leaving = segments.leavingRecent();
                    leaving != null;
                    leaving = segments.leavingRecent()) {
                putIntoTable(leaving);
                leaving.forget();
            }
        }

        private void kill(ChangelogSegment segment, long slots) {
            int killed = segment.killAll(slots);
            if (segment.isInTable()) {
                stale += killed;
                sweepIfMany();
            }
        }

        private void remove(ChangelogSegment segment) {
            byId.remove(segment.id());
            kill(segment, -1L);
            if (!segment.isInTable()) {
                segments.free(segment);
            }
        }

        private void sweepIfMany() {
            if (stale >= STALE_MIN && stale > table.documents() / 3) {
                sweep();
            }
        }

        private void sweep() {
            table.sweep(segments::isDead);
            stale = 0;
            segments.all()
                    .filter(segment -> segment.alive() == 0 && segment.isInTable())
                    .toList()
                    .forEach(segments::free);
        }

        /** How many documents were read, dead ones too. */
        long documents() {
            return documents;
        }

        /** Ends the restoring: everything alive is in the table, and nothing else. */
        void finish() {
            segments.recent().forEach(this::putIntoTable);
            if (stale > 0) {
                sweep();
            }
        }

        private void putIntoTable(ChangelogSegment segment) {
            if (segment.isInTable() || segment.alive() == 0) {
                return;
            }
            List<Indexed> documents =
                    BandLogCodec.DOCUMENTS.decode(segment.content()).documents();
            int[] numbers = new int[documents.size()];
            for (int slot = 0; slot < numbers.length; slot++) {
                if (!segment.isDead(slot)) {
                    Indexed indexed = documents.get(slot);
                    numbers[slot] = table.restore(
                            indexed.document().packed(), indexed.keys(), indexed.refused(), segments::isDead);
                    table.tag(numbers[slot], segments.tag(segment, slot));
                }
            }
            segment.markInTable(numbers);
        }
    }
}
