package io.neardup.streams.store;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WriteBufferManager;

/**
 * What all stories on disk of a process share, outside of the heap: {@value #BYTES} bytes, half of it at the most for
 * what is not in a file yet. By default Kafka Streams lets each partition take some 100 MB. Stores of others stay as
 * they are.
 */
public final class StoriesMemory implements RocksDBConfigSetter {
    private static final long BYTES = 64L << 20;
    private static final long WRITE_BUFFER_BYTES = 8L << 20;

    /** Allocated with the first store, and never freed. */
    private static final class Shared {
        private static final Cache CACHE = new LRUCache(BYTES);
        private static final WriteBufferManager WRITE_BUFFERS = new WriteBufferManager(BYTES / 2, CACHE);
    }

    @Override
    public void setConfig(String storeName, Options options, Map<String, Object> configs) {
        if (storeName.equals(NodeNames.STORIES)) {
            BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
            table.setBlockCache(Shared.CACHE);
            table.setCacheIndexAndFilterBlocks(true);
            options.setTableFormatConfig(table);
            options.setWriteBufferManager(Shared.WRITE_BUFFERS);
            options.setWriteBufferSize(WRITE_BUFFER_BYTES);
            options.setArenaBlockSize(OriginalsMemory.ARENA_BLOCK_BYTES);
        }
    }

    @Override
    public void close(String storeName, Options options) {
        // All of it is shared.
    }
}
