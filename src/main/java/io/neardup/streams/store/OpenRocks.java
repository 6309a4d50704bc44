package io.neardup.streams.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.streams.store.OriginalsMemory.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
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
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/**
 * RocksDB for what is written once, in the order of the keys, and read now and then by key: not compressed, which would
 * save a third of the disk and cost more than all else that RocksDB does; a filter against reads for what is not there;
 * all that it keeps in memory within one bound for the process.
 *
 * <p>What stands under keys that begin with 0 has files of its own: as it comes in the order of its keys, these need
 * not be merged. The others are small. Both are written to files at once, or not at all.
 */
final class OpenRocks implements AutoCloseable {
    private static final double FILTER_BITS = 10;
    private static final int WRITE_BUFFERS = 3;
    private static final byte[] IN_ORDER_NAME = "in-order".getBytes(UTF_8);

    static {
        RocksDB.loadLibrary();
    }

    private final OriginalsMemory memory;
    private final BloomFilter filter;
    private final ColumnFamilyOptions familyOptions;
    private final DBOptions options;
    private final WriteOptions unlogged = new WriteOptions().setDisableWAL(true);
    private final ReadOptions reading = new ReadOptions();
    private final RocksDB rocks;
    private final ColumnFamilyHandle small;
    private final ColumnFamilyHandle inOrder;

    /** @throws RocksDBException as it says it; nothing is open then */
    private OpenRocks(Path folder, OriginalsMemory memory) throws RocksDBException {
        this.memory = memory;
        Shared shared = memory.acquire();
        filter = new BloomFilter(FILTER_BITS);
        familyOptions = familyOptions(shared, filter, memory.writeBufferBytes());
        options = options(shared);
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try {
            rocks = RocksDB.open(
                    options,
                    folder.toString(),
                    List.of(
                            new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, familyOptions),
                            new ColumnFamilyDescriptor(IN_ORDER_NAME, familyOptions)),
                    handles);
        } catch (RocksDBException e) {
            free();
            throw e;
        }
        small = handles.get(0);
        inOrder = handles.get(1);
    }

    /**
     * Opens what is there, or begins anew where there is nothing.
     *
     * @throws UnusableException if it is damaged
     * @throws DiskException if the disk does not let it
     */
    static OpenRocks open(Path folder, OriginalsMemory memory) throws UnusableException {
        try {
            Files.createDirectories(folder);
            return new OpenRocks(folder, memory);
        } catch (IOException | RocksDBException e) {
            if (e instanceof RocksDBException failure && isDamage(failure)) {
                throw new UnusableException(String.valueOf(failure.getMessage()));
            }
            throw new DiskException("originals: expected to open " + folder + ", found " + e.getMessage(), e);
        }
    }

    private static ColumnFamilyOptions familyOptions(Shared shared, BloomFilter filter, long writeBufferBytes) {
        return new ColumnFamilyOptions()
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setBlockCache(shared.cache())
                        .setFilterPolicy(filter)
                        .setCacheIndexAndFilterBlocks(true)
                        .setIndexType(IndexType.kTwoLevelIndexSearch)
                        .setPartitionFilters(true)
                        .setPinTopLevelIndexAndFilter(true))
                .setWriteBufferSize(writeBufferBytes)
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

    static boolean isDamage(RocksDBException failure) {
        Status status = failure.getStatus();
        return status != null
                && (status.getCode() == Status.Code.Corruption || status.getCode() == Status.Code.InvalidArgument);
    }

    private ColumnFamilyHandle family(byte[] key) {
        return key.length > 0 && key[0] == 0 ? inOrder : small;
    }

    byte @Nullable [] get(byte[] key) throws RocksDBException {
        return rocks.get(family(key), reading, key);
    }

    /** What stands under a key, with changes over it that are not written. */
    byte @Nullable [] get(WriteBatchWithIndex changes, byte[] key) throws RocksDBException {
        return changes.getFromBatchAndDB(rocks, family(key), reading, key);
    }

    /** Over all that are kept where a key is, with changes over it that are not written. */
    RocksIterator iterator(WriteBatchWithIndex changes, byte[] key) {
        ColumnFamilyHandle of = family(key);
        return changes.newIteratorWithBase(of, rocks.newIterator(of, reading));
    }

    boolean isEmpty() {
        return isEmpty(small) && isEmpty(inOrder);
    }

    private boolean isEmpty(ColumnFamilyHandle family) {
        try (RocksIterator first = rocks.newIterator(family, reading)) {
            first.seekToFirst();
            return !first.isValid();
        }
    }

    /** Adds to what is to be written; no value removes. */
    void add(WriteBatchWithIndex batch, byte[] key, byte @Nullable [] value) throws RocksDBException {
        if (value == null) {
            batch.delete(family(key), key);
        } else {
            batch.put(family(key), key, value);
        }
    }

    void write(WriteBatchWithIndex batch) throws RocksDBException {
        rocks.write(unlogged, batch);
    }

    void flush(FlushOptions how) throws RocksDBException {
        rocks.flush(how, List.of(small, inOrder));
    }

    @Override
    public void close() {
        small.close();
        inOrder.close();
        rocks.close();
        free();
    }

    private void free() {
        options.close();
        familyOptions.close();
        unlogged.close();
        reading.close();
        filter.close();
        memory.release();
    }
}
