package io.neardup.streams.store;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.internals.InMemoryKeyValueStore;

/** The rows of a partition of stories, with what was done to them. */
public final class StoryRows extends InMemoryKeyValueStore {
    private final List<Record<byte[], byte[]>> changelog = new ArrayList<>();
    private Bytes from = Bytes.wrap(new byte[0]);

    public StoryRows() {
        super(NodeNames.STORIES);
    }

    @Override
    public synchronized void put(Bytes key, byte[] value) {
        changelog.add(new Record<>(key.get(), value, 0));
        super.put(key, value);
    }

    @Override
    public synchronized byte[] delete(Bytes key) {
        changelog.add(new Record<>(key.get(), null, 0));
        return super.delete(key);
    }

    @Override
    public synchronized KeyValueIterator<Bytes, byte[]> range(Bytes first, Bytes last) {
        from = first;
        return super.range(first, last);
    }

    /** What was put or deleted, in order. */
    public List<Record<byte[], byte[]>> changelog() {
        return changelog;
    }

    /** Where the last look at a range began. */
    Bytes from() {
        return from;
    }

    /** All, in hex and in the order of keys. */
    public Map<String, String> dump() {
        Map<String, String> dump = new TreeMap<>();
        HexFormat hex = HexFormat.of();
        try (var all = all()) {
            all.forEachRemaining(row -> dump.put(hex.formatHex(row.key.get()), hex.formatHex(row.value)));
        }
        return dump;
    }
}
