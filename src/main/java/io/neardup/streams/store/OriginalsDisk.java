package io.neardup.streams.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.streams.store.OriginalsMemory.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The originals of a coordinator in RocksDB, as keys and values in the order of bytes, of which only what is committed
 * reaches the disk.
 *
 * <p>Changes gather on the heap, where reads find them. {@link #commit} hands them to RocksDB as one batch, together
 * with the offset of the last changelog record that is among them. RocksDB writes the batches of some time to a file,
 * all of a batch or nothing, in their order, without a log of its own. So whenever the process is killed, or
 * the machine, what is found at the next start is what was committed up to some offset, and the changelog has what came
 * after. How much that is, is bounded by what {@link OriginalsMemory} takes, and by {@link #FLUSH_AFTER}.
 *
 * <p>If what is found is damaged, of another version or changelog, or so old that the changelog may have lost
 * tombstones that came after it, it is deleted and restored from the changelog.
 *
 * <p>Keys begin with a byte below 254; 255 is the key of the checkpoint. Those that begin with 0 are expected to come
 * in their order, with most of the bytes: they have a column family of their own, whose files need not be merged then.
 * Those of the other, small one are merged with files of like size only. Both families are written to files at once, or
 * not at all. What stands under keys that begin with 0 is found under those of a {@link SecondaryKeys}, too, which come
 * and go with it; the changelog has none of these.
 *
 * <p>Nothing is compressed: that would save a third of the disk and cost more than all else that RocksDB does. A filter
 * keeps it from reading for what is not there. One thread at a time.
 */
public final class OriginalsDisk implements AutoCloseable {
    /**
     * How old what is on disk may become: far below the age at which it is of no use. Each flush leaves a file that is
     * not merged before its documents expire, so more often is no better.
     */
    static final Duration FLUSH_AFTER = StateFolder.AGE_MAX.dividedBy(4);

    private static final Logger LOG = LoggerFactory.getLogger(OriginalsDisk.class);
    private static final byte[] CHECKPOINT = {(byte) 255};

    /** Beside its key and its value, what a change takes before it is committed. */
    private static final int CHANGE_BYTES = 64;

    private static final byte[] NOTHING = {};

    /** In place of a value; another object than any value. */
    private static final byte[] REMOVED = {};

    private static final double FILTER_BITS = 10;
    private static final int WRITE_BUFFERS = 3;

    /** Of the small family, before they are merged: it is flushed as often as the large one, a little each time. */
    private static final int SMALL_FILES = 8;

    private static final byte[] IN_ORDER_NAME = "in-order".getBytes(UTF_8);

    static {
        RocksDB.loadLibrary();
    }

    public interface SecondaryKeys {
        /**
         * Those keys, by what stands under a key that begins with 0; the same as long as that stands there. None
         * begins with 0.
         */
        List<byte[]> of(byte[] key, byte[] value);
    }

    private final StateFolder folder;
    private final String changelog;
    private final LongSupplier nowMillis;
    private final SecondaryKeys secondary;
    private final OriginalsMemory memory;
    private final BloomFilter filter;
    private final ColumnFamilyOptions smallOptions;
    private final ColumnFamilyOptions inOrderOptions;
    private final DBOptions options;
    private final WriteOptions unlogged = new WriteOptions().setDisableWAL(true);
    private final ReadOptions reading = new ReadOptions();
    private final RocksDB rocks;
    private final ColumnFamilyHandle small;
    private final ColumnFamilyHandle inOrder;
    private @Nullable Checkpoint checkpoint;

    /** What is not committed, over what is; with {@link #REMOVED} itself, what was removed. */
    private final NavigableMap<byte[], byte[]> changes = new TreeMap<>(Arrays::compareUnsigned);

    private long changeBytes;

    private final long openedMillis;
    /** When files were written last; earlier where what was written is older. */
    private long flushedMillis;

    /** @throws WireException if what lies there is not to be used; nothing is open then */
    private OriginalsDisk(
            StateFolder folder,
            String changelog,
            OriginalsMemory memory,
            LongSupplier nowMillis,
            SecondaryKeys secondary) {
        this.folder = folder;
        this.changelog = changelog;
        this.nowMillis = nowMillis;
        this.secondary = secondary;
        this.memory = memory;
        this.openedMillis = nowMillis.getAsLong();
        this.flushedMillis = openedMillis;
        Shared shared = memory.acquire();
        filter = new BloomFilter(FILTER_BITS);
        smallOptions = familyOptions(shared, filter, memory)
                .setCompactionStyle(CompactionStyle.UNIVERSAL)
                .setLevel0FileNumCompactionTrigger(SMALL_FILES);
        inOrderOptions = familyOptions(shared, filter, memory);
        options = options(shared);
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try {
            Files.createDirectories(folder.path());
            rocks = RocksDB.open(
                    options,
                    folder.path().toString(),
                    List.of(
                            new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, smallOptions),
                            new ColumnFamilyDescriptor(IN_ORDER_NAME, inOrderOptions)),
                    handles);
        } catch (IOException | RocksDBException e) {
            freeOptions();
            if (e instanceof RocksDBException failure && isDamage(failure)) {
                throw new WireException(String.valueOf(e.getMessage()));
            }
            throw new DiskException(
                    "originals: expected to open " + folder.path() + ", found " + e.getMessage(), e, false);
        }
        small = handles.get(0);
        inOrder = handles.get(1);
        try {
            checkpoint = readCheckpoint();
        } catch (RocksDBException | WireException e) {
            closeRocks();
            throw new WireException(String.valueOf(e.getMessage()));
        }
    }

    private static ColumnFamilyOptions familyOptions(Shared shared, BloomFilter filter, OriginalsMemory memory) {
        return new ColumnFamilyOptions()
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setBlockCache(shared.cache())
                        .setFilterPolicy(filter)
                        .setCacheIndexAndFilterBlocks(true)
                        .setIndexType(IndexType.kTwoLevelIndexSearch)
                        .setPartitionFilters(true)
                        .setPinTopLevelIndexAndFilter(true))
                .setWriteBufferSize(memory.writeBufferBytes())
                .setArenaBlockSize(memory.arenaBlockBytes())
                .setMaxWriteBufferNumber(WRITE_BUFFERS)
                .setCompressionType(CompressionType.NO_COMPRESSION);
    }

    private static DBOptions options(Shared shared) {
        return new DBOptions()
                .setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setAtomicFlush(true)
                .setWriteBufferManager(shared.writeBuffers())
                .setSkipStatsUpdateOnDbOpen(true)
                .setInfoLogLevel(InfoLogLevel.ERROR_LEVEL)
                .setKeepLogFileNum(1);
    }

    /**
     * Opens what is there, or nothing where that cannot be used.
     *
     * @param changelog a name that no partition of another changelog has, of this index or another
     * @throws DiskException if the disk does not let it
     */
    public static OriginalsDisk open(
            Path path, String changelog, OriginalsMemory memory, LongSupplier nowMillis, SecondaryKeys secondary) {
        StateFolder folder = new StateFolder(path);
        folder.claim();
        try {
            if (folder.isUnusable()) {
                delete(folder, "it was found to be damaged, or the changelog no longer fits it");
            }
            try {
                return new OriginalsDisk(folder, changelog, memory, nowMillis, secondary);
            } catch (WireException e) {
                delete(folder, e.getMessage());
                return new OriginalsDisk(folder, changelog, memory, nowMillis, secondary);
            }
        } catch (RuntimeException e) {
            folder.release();
            throw e;
        }
    }

    private static void delete(StateFolder folder, @Nullable String reason) {
        LOG.warn(
                "originals are restored from the whole changelog, as their folder cannot be used folder={} {}",
                folder.path(),
                reason);
        try {
            folder.delete();
        } catch (IOException e) {
            throw new DiskException(folder.path() + ": expected to delete what cannot be used", e, false);
        }
    }

    private @Nullable Checkpoint readCheckpoint() throws RocksDBException {
        byte[] found = rocks.get(small, reading, CHECKPOINT);
        if (found == null) {
            if (!isEmpty(small) || !isEmpty(inOrder)) {
                throw new WireException("it does not say up to where it reaches");
            }
            return null;
        }
        Checkpoint read = Checkpoint.LAYOUT.decode(found);
        if (!read.changelog().equals(changelog)) {
            throw new WireException("changelog it is of: expected " + changelog + ", found " + read.changelog());
        }
        if (StateFolder.isOlderThan(read.millis(), StateFolder.AGE_MAX, nowMillis.getAsLong())) {
            throw new WireException("it was written more than " + StateFolder.AGE_MAX.toHours() + " hours ago");
        }
        return read;
    }

    private boolean isEmpty(ColumnFamilyHandle family) {
        try (RocksIterator first = rocks.newIterator(family, reading)) {
            first.seekToFirst();
            return !first.isValid();
        }
    }

    /** The offset of the last changelog record that was committed or restored here. */
    public OptionalLong offset() {
        return checkpoint == null ? OptionalLong.empty() : OptionalLong.of(checkpoint.offset());
    }

    /** Bytes of what is not committed. */
    public long changeBytes() {
        return changeBytes;
    }

    // ---- reading

    private static boolean isInOrder(byte[] key) {
        return key.length > 0 && key[0] == 0;
    }

    private ColumnFamilyHandle family(byte[] key) {
        return isInOrder(key) ? inOrder : small;
    }

    /** What stands under a key, committed or not. */
    public byte @Nullable [] get(byte[] key) {
        byte[] changed = changes.get(key);
        if (changed != null) {
            return changed == REMOVED ? null : changed;
        }
        try {
            return rocks.get(family(key), reading, key);
        } catch (RocksDBException e) {
            throw failed("read", e);
        }
    }

    /**
     * Goes over what stands under a range of keys, committed or not, one after the other.
     *
     * @param from the first key; both begin with 0, or neither does
     * @param to the last key, at least the first
     * @param visitor gets a key and its value, and says whether to go on; it changes nothing
     */
    public void visit(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) {
        try (RocksIterator written = rocks.newIterator(family(from), reading)) {
            written.seek(from);
            for (Map.Entry<byte[], byte[]> change :
                    changes.subMap(from, true, to, true).entrySet()) {
                byte[] key = change.getKey();
                if (!visit(written, before -> Arrays.compareUnsigned(before, key) < 0, visitor)) {
                    return;
                }
                if (written.isValid() && Arrays.equals(written.key(), key)) {
                    written.next();
                }
                byte[] value = change.getValue();
                if (value != REMOVED && !visitor.test(key, value)) {
                    return;
                }
            }
            visit(written, upTo -> Arrays.compareUnsigned(upTo, to) <= 0, visitor);
        } catch (RocksDBException e) {
            throw failed("read", e);
        }
    }

    /** Returns false where the visitor does not go on. */
    private static boolean visit(
            RocksIterator written, Predicate<byte[]> isInRange, BiPredicate<byte[], byte[]> visitor)
            throws RocksDBException {
        for (; written.isValid(); written.next()) {
            byte[] key = written.key();
            if (!isInRange.test(key)) {
                return true;
            }
            if (!visitor.test(key, written.value())) {
                return false;
            }
        }
        written.status(); // Where RocksDB cannot read on, it seems to be at the end.
        return true;
    }

    // ---- changing

    /** Changes what stands under a key; where that has secondary keys, nothing stood there or the same. */
    public void put(byte[] key, byte[] value) {
        change(key, value);
        if (isInOrder(key)) {
            secondary.of(key, value).forEach(other -> change(other, NOTHING));
        }
    }

    public void remove(byte[] key) {
        byte[] value = isInOrder(key) ? get(key) : null;
        if (value != null) {
            secondary.of(key, value).forEach(other -> change(other, REMOVED));
        }
        change(key, REMOVED);
    }

    private void change(byte[] key, byte[] value) {
        changeBytes += CHANGE_BYTES + key.length + value.length;
        changes.put(key, value);
    }

    /**
     * What was changed is committed.
     *
     * @param offset of the last changelog record that is among it
     */
    public void commit(long offset) {
        flushedMillis = onDiskMillis();
        commit(offset, nowMillis.getAsLong());
    }

    /**
     * What was changed was read from the changelog, more of which is to be read. It is no younger than what the reading
     * began at: markers of removals that are not read yet are kept for a time that began before that.
     *
     * @param offset of the last changelog record that is among it
     */
    public void commitRestored(long offset) {
        commit(offset, checkpoint == null ? openedMillis : checkpoint.millis());
    }

    /** Nothing has come behind what is committed: that is as of now, however long ago it was. */
    void confirm() {
        Checkpoint last = checkpoint;
        if (last != null
                && changes.isEmpty()
                && StateFolder.isOlderThan(onDiskMillis(), FLUSH_AFTER, nowMillis.getAsLong())) {
            commit(last.offset());
        }
    }

    /** As of when the files are: what was restored may be much older than their flush. */
    private long onDiskMillis() {
        return checkpoint == null ? flushedMillis : Math.min(flushedMillis, checkpoint.millis());
    }

    private void commit(long offset, long asOfMillis) {
        Checkpoint next = new Checkpoint(changelog, offset, asOfMillis);
        try (WriteBatch batch = new WriteBatch()) {
            for (Map.Entry<byte[], byte[]> change : changes.entrySet()) {
                byte[] key = change.getKey();
                byte[] value = change.getValue();
                if (value == REMOVED) {
                    batch.delete(family(key), key);
                } else {
                    batch.put(family(key), key, value);
                }
            }
            batch.put(small, CHECKPOINT, Checkpoint.LAYOUT.encode(next));
            write(batch);
        } catch (RocksDBException e) {
            throw failed("write", e);
        }
        checkpoint = next;
        changes.clear();
        changeBytes = 0;
        if (StateFolder.isOlderThan(flushedMillis, FLUSH_AFTER, nowMillis.getAsLong())) {
            flush(false);
        }
    }

    private void write(WriteBatch batch) throws RocksDBException {
        rocks.write(unlogged, batch);
    }

    /** At the next start nothing of this is to be used. */
    public void markUnusable() {
        folder.markUnusable();
    }

    /** Has all that is committed written to files. */
    void flush(boolean wait) {
        try (FlushOptions how = new FlushOptions().setWaitForFlush(wait).setAllowWriteStall(true)) {
            rocks.flush(how, List.of(small, inOrder));
        } catch (RocksDBException e) {
            throw failed("write", e);
        }
        flushedMillis = nowMillis.getAsLong();
    }

    /** Writes what is committed to files, and drops what is not. */
    @Override
    public void close() {
        try {
            flush(true);
        } catch (DiskException e) {
            LOG.warn(
                    "a restart takes longer, as originals could not be written; check the disk folder={} cause={}",
                    folder.path(),
                    e.toString());
        } finally {
            closeRocks();
            StateFolder.touch(folder.path(), nowMillis.getAsLong());
            folder.release();
        }
    }

    private void closeRocks() {
        small.close();
        inOrder.close();
        rocks.close();
        freeOptions();
    }

    private void freeOptions() {
        options.close();
        smallOptions.close();
        inOrderOptions.close();
        unlogged.close();
        reading.close();
        filter.close();
        memory.release();
    }

    private static boolean isDamage(RocksDBException failure) {
        Status status = failure.getStatus();
        return status != null
                && (status.getCode() == Status.Code.Corruption || status.getCode() == Status.Code.InvalidArgument);
    }

    private DiskException failed(String what, RocksDBException e) {
        boolean damage = isDamage(e);
        if (damage) {
            markUnusable();
        }
        return new DiskException("originals: could not " + what + " in " + folder.path(), e, damage);
    }

    /**
     * Up to where in which changelog a store reaches. It is written with the changes themselves, all at once.
     *
     * @param changelog a name that no partition of another changelog has, of this index or another
     * @param offset of the last changelog record that is in the store
     * @param millis as of when the changelog has the markers of all removals behind it, by this machine's clock
     */
    record Checkpoint(String changelog, long offset, long millis) {
        static final Layout<Checkpoint> LAYOUT = new Layout<>(
                "a checkpoint of originals",
                4,
                (to, checkpoint) -> to.putText(checkpoint.changelog())
                        .putLong(checkpoint.offset())
                        .putLong(checkpoint.millis()),
                from -> new Checkpoint(from.takeText(), from.takeLong(), from.takeLong()));
    }
}
