package io.neardup.streams;

import io.neardup.bandlog.SnapshotTurn;
import io.neardup.protocol.Partitions;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/** Builds a {@link BandStore} for each task. It is always logged and never cached. */
final class BandStoreBuilder implements StoreBuilder<BandStore> {
    private final String name;
    private final Partitions partitions;
    private final int bucketMax;
    /** Of all tasks. */
    private final SnapshotTurn turn = new SnapshotTurn();

    private final LongSupplier nowMillis;
    private final Map<String, String> changelogSettings = new HashMap<>();

    /** @param nowMillis the clock: a snapshot is used only for some hours */
    BandStoreBuilder(String name, Partitions partitions, int bucketMax, LongSupplier nowMillis) {
        this.name = name;
        this.partitions = partitions;
        this.bucketMax = bucketMax;
        this.nowMillis = nowMillis;
    }

    @Override
    public BandStore build() {
        return new BandStore(name, partitions, bucketMax, changelogSettings, turn, nowMillis);
    }

    @Override
    public StoreBuilder<BandStore> withLoggingEnabled(Map<String, String> config) {
        changelogSettings.clear();
        changelogSettings.putAll(config);
        return this;
    }

    @Override
    public StoreBuilder<BandStore> withLoggingDisabled() {
        throw new UnsupportedOperationException("the buckets cannot be restored without a changelog");
    }

    @Override
    public StoreBuilder<BandStore> withCachingEnabled() {
        throw new UnsupportedOperationException("the buckets are in memory: there is nothing to cache");
    }

    @Override
    public StoreBuilder<BandStore> withCachingDisabled() {
        return this;
    }

    @Override
    public Map<String, String> logConfig() {
        return changelogSettings;
    }

    @Override
    public boolean loggingEnabled() {
        return true;
    }

    @Override
    public String name() {
        return name;
    }
}
