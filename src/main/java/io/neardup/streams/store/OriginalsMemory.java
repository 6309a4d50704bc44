package io.neardup.streams.store;

import org.jspecify.annotations.Nullable;
import org.rocksdb.LRUCache;
import org.rocksdb.WriteBufferManager;

/**
 * What all originals on disk of a service share: one bounded memory for blocks that were read, filters, indexes of
 * files, and what is written and not in a file yet. The last takes half of it at the most.
 *
 * <p>It is outside of the heap, and there while any of them is open. Any thread may open and close them.
 */
public final class OriginalsMemory {
    /**
     * What RocksDB allocates at once for a family or a store, however little that writes. By default it is 1 MB: 32
     * stores, or 29 coordinators of two families, would fill the write buffers.
     */
    static final long ARENA_BLOCK_BYTES = 64L << 10;

    private final long bytes;
    private int users;
    private @Nullable Shared shared;

    /** The two are freed together, the one that refers to the other first. */
    record Shared(LRUCache cache, WriteBufferManager writeBuffers) {
        private static Shared allocate(long bytes) {
            LRUCache cache = new LRUCache(bytes);
            return new Shared(cache, new WriteBufferManager(bytes / 2, cache));
        }

        private void free() {
            writeBuffers.close();
            cache.close();
        }
    }

    /** @param bytes the bound; a part of it is allocated as it is needed */
    public OriginalsMemory(long bytes) {
        this.bytes = bytes;
    }

    synchronized Shared acquire() {
        users++;
        if (shared == null) {
            shared = Shared.allocate(bytes);
        }
        return shared;
    }

    synchronized void release() {
        users--;
        if (users == 0 && shared != null) {
            shared.free();
            shared = null;
        }
    }

    /** The most that one of them gathers before it writes a file. */
    long writeBufferBytes() {
        return Math.min(16L << 20, bytes / 8);
    }

    /** What it allocates at once for a family. */
    long arenaBlockBytes() {
        return Math.min(ARENA_BLOCK_BYTES, writeBufferBytes() / 8);
    }
}
