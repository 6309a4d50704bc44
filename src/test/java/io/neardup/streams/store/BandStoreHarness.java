package io.neardup.streams.store;

import static org.awaitility.Awaitility.await;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.engine.protocol.Partitions;
import io.neardup.streams.metrics.DiskFailures;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.state.StoreBuilder;

/** A {@link BandStore} of which each call is a step. */
final class BandStoreHarness extends StoreHarness<BandStore> {
    private static final String STORE = "buckets";

    private final AtomicLong nowMillis;

    /** @param stateFolder where the store finds and leaves its files, {@link #folder in there} */
    BandStoreHarness(Path stateFolder, AtomicLong nowMillis) {
        super(
                builder(nowMillis::get),
                Map.of(StreamsConfig.STATE_DIR_CONFIG, stateFolder.toString()),
                BandStore::writeChanges);
        this.nowMillis = nowMillis;
    }

    static StoreBuilder<BandStore> builder(LongSupplier nowMillis) {
        Partitions partitions = new Partitions(1, 2);
        return LoggedStore.builderOf(
                STORE,
                () -> new BandStore(
                        STORE, partitions, 1_000, TopicPartition::toString, new DiskFailures(), nowMillis));
    }

    /** What the store has on the disk. */
    static Path folder(Path stateFolder) {
        return stateFolder.resolve("harness").resolve(NodeNames.BUCKETS).resolve("0_0");
    }

    /** Lets it go on, for some hours, until what was inserted is on the disk. */
    void save(TopicPartition changelog, long offset) {
        nowMillis.addAndGet(Duration.ofHours(4).toMillis());
        await().until(() -> {
            List<Long> reached = new ArrayList<>();
            step(store -> {
                store.saveMore();
                reached.add(store.committedOffset(changelog));
            });
            return reached.get(0) == offset;
        });
    }

    Found find(DocumentRef document, BandKeys keys, int max) {
        List<Found> found = new ArrayList<>();
        step(store -> found.add(store.find(document, keys, max)));
        return found.get(0);
    }

    void insert(DocumentRef document, BandKeys keys) {
        step(store -> store.insert(document, keys));
    }
}
