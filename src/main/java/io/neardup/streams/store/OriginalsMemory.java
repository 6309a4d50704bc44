package io.neardup.streams.store;

import org.jspecify.annotations.Nullable;
import org.rocksdb.LRUCache;
import org.rocksdb.WriteBufferManager;

/**
 * What all originals on disk of a service share: one bounded memory for blocks that were read, filters, indexes of
 * files, and what is written and not in a file yet. The last takes half of it at the most.
 *
 * <p>It is outside of the heap, allocated as it is needed, and never freed. Thread-safe.
 */
public final class OriginalsMemory {
    private final long bytes;
    private @Nullable Shared shared;

    record Shared(LRUCache cache, WriteBufferManager writeBuffers) {}

    /** @param bytes the bound */
    public OriginalsMemory(long bytes) {
        this.bytes = bytes;
    }

    synchronized Shared shared() {
        if (shared == null) {
            LRUCache cache = new LRUCache(bytes);
            shared = new Shared(cache, new WriteBufferManager(bytes / 2, cache));
        }
        return shared;
    }

    /** The most that one of them gathers before it writes a file. */
    long writeBufferBytes() {
        return Math.min(16L << 20, bytes / 8);
    }
}
