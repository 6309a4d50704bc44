package io.neardup.streams.store;

import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;

/**
 * A store whose changes gather until the commit. Kafka Streams takes it for one with a cache, as these alone hear that
 * the task is about to commit.
 */
interface GatheringStore extends CachedStateStore<Bytes, byte[]> {
    /** Kafka Streams is about to commit. */
    @Override
    default void flushCache() {
        CommitListeners.before().tell();
    }

    @Override
    default void clearCache() {}

    @Override
    default boolean setFlushListener(CacheFlushListener<Bytes, byte[]> listener, boolean sendOldValues) {
        return false;
    }
}
