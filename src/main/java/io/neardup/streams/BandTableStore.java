package io.neardup.streams;

import io.neardup.lsh.BandTable;
import io.neardup.protocol.Partitions;
import io.neardup.wire.StateCodec;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The table as the innermost store, which takes changes as changelog records: a key with any value inserts, one without
 * removes. It is read through {@link #table} alone; reading by key is refused.
 */
final class BandTableStore implements KeyValueStore<Bytes, byte[]> {
    private final String name;
    private final Partitions partitions;
    private final int bucketMax;
    private final Position position = Position.emptyPosition();
    private @Nullable BandTable table;

    BandTableStore(String name, Partitions partitions, int bucketMax) {
        this.name = name;
        this.partitions = partitions;
        this.bucketMax = bucketMax;
    }

    /** Hands the one instance to the builder of the logged store around it. */
    record Supplier(String name, BandTableStore store) implements KeyValueBytesStoreSupplier {
        @Override
        public KeyValueStore<Bytes, byte[]> get() {
            return store;
        }

        @Override
        public String metricsScope() {
            return "in-memory";
        }
    }

    BandTable table() {
        return Objects.requireNonNull(table, "store is not open");
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        int bands = partitions.bandsOf(context.taskId().partition()).length;
        table = new BandTable(bands, bucketMax);
        context.register(root, (key, value) -> apply(key, value));
    }

    private void apply(byte[] key, byte @Nullable [] value) {
        StateCodec.Indexed indexed = StateCodec.decodeIndexed(key);
        if (value == null) {
            table().remove(indexed.document().packed(), indexed.keys());
        } else {
            table().insert(indexed.document().packed(), indexed.keys());
        }
    }

    @Override
    public void put(Bytes key, byte @Nullable [] value) {
        apply(key.get(), value);
    }

    @Override
    public byte @Nullable [] delete(Bytes key) {
        apply(key.get(), null);
        return null;
    }

    @Override
    public byte[] putIfAbsent(Bytes key, byte[] value) {
        throw refused();
    }

    @Override
    public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
        entries.forEach(entry -> put(entry.key, entry.value));
    }

    @Override
    public byte[] get(Bytes key) {
        throw refused();
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
        throw refused();
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        throw refused();
    }

    private static UnsupportedOperationException refused() {
        return new UnsupportedOperationException("the band table is read by its own methods, not by key");
    }

    @Override
    public long approximateNumEntries() {
        return table().documents();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean persistent() {
        return false;
    }

    @Override
    public boolean isOpen() {
        return table != null;
    }

    @Override
    public void close() {
        table = null;
    }

    @Override
    public Position getPosition() {
        return position;
    }
}
