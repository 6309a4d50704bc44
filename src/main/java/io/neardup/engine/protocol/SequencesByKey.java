package io.neardup.engine.protocol;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The sequence numbers of held records, by a key that several may have, such as a record key or an id; in order. */
final class SequencesByKey<K> {
    private final Map<K, NavigableSet<Long>> sequences = new HashMap<>();

    void add(K key, long sequence) {
        sequences.computeIfAbsent(key, k -> new TreeSet<>()).add(sequence);
    }

    void remove(K key, long sequence) {
        NavigableSet<Long> ofKey = sequences.get(key);
        if (ofKey != null && ofKey.remove(sequence) && ofKey.isEmpty()) {
            sequences.remove(key);
        }
    }

    /** The next greater one. */
    OptionalLong after(@Nullable K key, long sequence) {
        NavigableSet<Long> ofKey = key == null ? null : sequences.get(key);
        Long next = ofKey == null ? null : ofKey.higher(sequence);
        return next == null ? OptionalLong.empty() : OptionalLong.of(next);
    }

    boolean hasBefore(K key, long sequence) {
        NavigableSet<Long> ofKey = sequences.get(key);
        return ofKey != null && ofKey.lower(sequence) != null;
    }
}
