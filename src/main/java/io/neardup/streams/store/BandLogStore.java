package io.neardup.streams.store;

import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateRestoreCallback;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The store that Kafka Streams puts its changelog around, as the innermost of a logged store. It keeps nothing: what is
 * written here has changed the table already, and what is restored is passed on to it. Reading is refused.
 */
final class BandLogStore implements KeyValueStore<Bytes, byte[]> {
    private final String name;
    private final StateRestoreCallback restoreCallback;
    private final Position position = Position.emptyPosition();
    private boolean open;

    BandLogStore(String name, StateRestoreCallback restoreCallback) {
        this.name = name;
        this.restoreCallback = restoreCallback;
    }

    /** Hands the one instance to the builder of the logged store around it. */
    record Supplier(String name, BandLogStore store) implements KeyValueBytesStoreSupplier {
        @Override
        public KeyValueStore<Bytes, byte[]> get() {
            return store;
        }

        @Override
        public String metricsScope() {
            return "in-memory";
        }
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        context.register(root, restoreCallback);
        open = true;
    }

    @Override
    public void put(Bytes key, byte @Nullable [] value) {}

    @Override
    public byte @Nullable [] delete(Bytes key) {
        return null;
    }

    @Override
    public byte[] putIfAbsent(Bytes key, byte[] value) {
        throw refused();
    }

    @Override
    public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
        throw refused();
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
        return 0;
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
        return open;
    }

    @Override
    public void close() {
        open = false;
    }

    @Override
    public Position getPosition() {
        return position;
    }
}
