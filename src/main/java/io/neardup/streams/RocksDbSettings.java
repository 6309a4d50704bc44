package io.neardup.streams;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.Filter;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;

/**
 * RocksDB for what is written once, in the order of the keys, and read now and then by key: not compressed, which
 * would save a third of the disk and cost more than all else that RocksDB does; a filter against reads for what is
 * not there; one bounded block cache for all stores of the process.
 */
public final class RocksDbSettings implements RocksDBConfigSetter {
    private static final long CACHE_BYTES = 64L << 20;
    private static final long WRITE_BUFFER_BYTES = 16L << 20;
    private static final int WRITE_BUFFERS = 3;
    private static final double FILTER_BITS = 10;

    /** Lives as long as the process, as do the stores that share it. */
    private static final Cache CACHE = new LRUCache(CACHE_BYTES);

    private final Filter filter = new BloomFilter(FILTER_BITS);

    @Override
    public void setConfig(String store, Options options, Map<String, Object> configs) {
        BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
        table.setBlockCache(CACHE);
        table.setFilterPolicy(filter);
        options.setTableFormatConfig(table);
        options.setCompressionType(CompressionType.NO_COMPRESSION);
        options.setWriteBufferSize(WRITE_BUFFER_BYTES);
        options.setMaxWriteBufferNumber(WRITE_BUFFERS);
    }

    @Override
    public void close(String store, Options options) {
        filter.close();
    }
}
