package io.neardup.streams.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/** A compacted topic in memory. */
public final class Changelog implements LoggedBandTable.Log {
    private final List<Entry> entries = new ArrayList<>();

    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Entry(byte[] key, byte @Nullable [] value) {}

    @Override
    public void write(byte[] key, byte @Nullable [] value) {
        entries.add(new Entry(key, value));
    }

    public int size() {
        return entries.size();
    }

    /** Bytes of keys and values. */
    public long bytes() {
        return entries.stream()
                .mapToLong(entry -> entry.key().length + (entry.value() == null ? 0 : entry.value().length))
                .sum();
    }

    public List<Entry> from(int offset) {
        return entries.subList(offset, entries.size());
    }

    /** The log after the cleaner has been through it up to an offset: there, of each key the last record is left. */
    public Changelog compacted(int end, boolean tombstonesToo) {
        Map<Bytes, Integer> last = new HashMap<>();
        for (int i = 0; i < end; i++) {
            last.put(Bytes.wrap(entries.get(i).key()), i);
        }
        Changelog compacted = new Changelog();
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            boolean isLast = i >= end || last.getOrDefault(Bytes.wrap(entry.key()), -1) == i;
            if (isLast && (i >= end || tombstonesToo || entry.value() != null)) {
                compacted.entries.add(entry);
            }
        }
        return compacted;
    }

    /** The log with any of those records gone that later ones replace: a cleaner at work while the log is read. */
    public Changelog thinned(Random random) {
        Map<Bytes, Integer> last = new HashMap<>();
        for (int i = 0; i < entries.size(); i++) {
            last.put(Bytes.wrap(entries.get(i).key()), i);
        }
        Changelog thinned = new Changelog();
        for (int i = 0; i < entries.size(); i++) {
            if (last.getOrDefault(Bytes.wrap(entries.get(i).key()), -1) == i || random.nextInt(3) == 0) {
                thinned.entries.add(entries.get(i));
            }
        }
        return thinned;
    }
}
