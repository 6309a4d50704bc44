package io.neardup.originals;

import io.neardup.originals.OriginalsMemory.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/**
 * RocksDB for what is written once, in the order of the keys, and read now and then by key: not compressed, which would
 * save a third of the disk and cost more than all else that RocksDB does; a filter against reads for what is not there;
 * all that it keeps in memory within one bound for the process.
 */
final class OpenRocks implements AutoCloseable {
    private static final double FILTER_BITS = 10;
    private static final int WRITE_BUFFERS = 3;

    private final OriginalsMemory memory;
    private final BloomFilter filter;
    private final Options options;
    private final WriteOptions unlogged = new WriteOptions().setDisableWAL(true);
    private final ReadOptions reading = new ReadOptions();
    private final RocksDB rocks;

    private OpenRocks(OriginalsMemory memory, BloomFilter filter, Options options, RocksDB rocks) {
        this.memory = memory;
        this.filter = filter;
        this.options = options;
        this.rocks = rocks;
    }

    /**
     * Opens what is there, or begins anew where there is nothing.
     *
     * @throws UnusableException if it is damaged
     * @throws DiskException if the disk does not let it
     */
    static OpenRocks open(Path folder, OriginalsMemory memory) throws UnusableException {
        Shared shared = memory.acquire();
        BloomFilter filter = new BloomFilter(FILTER_BITS);
        Options options = options(shared, filter, memory.writeBufferBytes());
        try {
            Files.createDirectories(folder);
            return new OpenRocks(memory, filter, options, RocksDB.open(options, folder.toString()));
        } catch (IOException | RocksDBException e) {
            options.close();
            filter.close();
            memory.release();
            if (e instanceof RocksDBException failure && isDamage(failure)) {
                throw new UnusableException(String.valueOf(failure.getMessage()));
            }
            throw new DiskException("originals: expected to open " + folder + ", found " + e.getMessage(), e);
        }
    }

    private static Options options(Shared shared, BloomFilter filter, long writeBufferBytes) {
        return new Options()
                .setCreateIfMissing(true)
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setBlockCache(shared.cache())
                        .setFilterPolicy(filter)
                        .setCacheIndexAndFilterBlocks(true)
                        .setIndexType(IndexType.kTwoLevelIndexSearch)
                        .setPartitionFilters(true)
                        .setPinTopLevelIndexAndFilter(true))
                .setWriteBufferManager(shared.writeBuffers())
                .setWriteBufferSize(writeBufferBytes)
                .setMaxWriteBufferNumber(WRITE_BUFFERS)
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setSkipStatsUpdateOnDbOpen(true)
                .setInfoLogLevel(InfoLogLevel.ERROR_LEVEL)
                .setKeepLogFileNum(1);
    }

    static boolean isDamage(RocksDBException failure) {
        Status status = failure.getStatus();
        return status != null
                && (status.getCode() == Status.Code.Corruption || status.getCode() == Status.Code.InvalidArgument);
    }

    byte @Nullable [] get(byte[] key) throws RocksDBException {
        return rocks.get(reading, key);
    }

    /** What stands under a key, with changes over it that are not written. */
    byte @Nullable [] get(WriteBatchWithIndex changes, byte[] key) throws RocksDBException {
        return changes.getFromBatchAndDB(rocks, reading, key);
    }

    /** Over all, with changes over it that are not written. */
    RocksIterator iterator(WriteBatchWithIndex changes) {
        return changes.newIteratorWithBase(rocks.newIterator(reading));
    }

    boolean isEmpty() {
        try (RocksIterator first = rocks.newIterator(reading)) {
            first.seekToFirst();
            return !first.isValid();
        }
    }

    void write(WriteBatchWithIndex batch) throws RocksDBException {
        rocks.write(unlogged, batch);
    }

    void write(WriteBatch batch) throws RocksDBException {
        rocks.write(unlogged, batch);
    }

    void flush(FlushOptions how) throws RocksDBException {
        rocks.flush(how);
    }

    @Override
    public void close() {
        rocks.close();
        options.close();
        unlogged.close();
        reading.close();
        filter.close();
        memory.release();
    }
}
