package io.neardup.streams.store;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.BandIndex.BandState;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.engine.protocol.Partitions;
import io.neardup.streams.metrics.DiskFailures;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.StreamsConfig;

/** A {@link BandStore} of which each call is a step. */
final class BandStoreHarness extends StoreHarness<BandStore> implements BandState {
    private static final String STORE = "buckets";

    BandStoreHarness(int bands, int bucketMax) {
        this(bands, bucketMax, Map.of(), () -> 0);
    }

    /** @param stateFolder where the store finds and leaves its snapshot, {@link #snapshot in there} */
    BandStoreHarness(int bands, int bucketMax, Path stateFolder, LongSupplier nowMillis) {
        this(bands, bucketMax, Map.of(StreamsConfig.STATE_DIR_CONFIG, stateFolder.toString()), nowMillis);
    }

    private BandStoreHarness(int bands, int bucketMax, Map<String, String> stateSettings, LongSupplier nowMillis) {
        super(
                BandStore.builder(
                        STORE,
                        new Partitions(1, bands),
                        bucketMax,
                        TopicPartition::toString,
                        new DiskFailures(),
                        nowMillis),
                stateSettings,
                BandStore::writeChanges);
    }

    /** The store's snapshot. */
    static Path snapshot(Path stateFolder) {
        return stateFolder.resolve("harness").resolve("0_0").resolve(STORE + ".snapshot");
    }

    @Override
    public Found find(DocumentRef document, BandKeys keys, int max) {
        List<Found> found = new ArrayList<>();
        step(store -> found.add(store.find(document, keys, max)));
        return found.get(0);
    }

    @Override
    public void insert(DocumentRef document, BandKeys keys) {
        step(store -> store.insert(document, keys));
    }

    @Override
    public void remove(DocumentRef document, BandKeys keys) {
        step(store -> store.remove(document, keys));
    }

    @Override
    public void drop(DocumentRef document, BandKeys keys) {
        step(store -> store.drop(document, keys));
    }
}
