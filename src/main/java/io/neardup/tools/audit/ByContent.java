package io.neardup.tools.audit;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Records by what they are recognised by, those of equal content in the order in which they came. */
final class ByContent<T> {
    private final Map<RecordContent, Set<T>> records = new HashMap<>();

    void add(RecordContent content, T record) {
        Set<T> present = records.get(content);
        if (present == null) {
            records.put(content, Set.of(record));
            return;
        }
        Set<T> more = present.size() == 1 ? new LinkedHashSet<>(present) : present;
        more.add(record);
        records.put(content, more);
    }

    /** The first of this content that fits. */
    Optional<T> first(RecordContent content, Predicate<T> fits) {
        return all(content).stream().filter(fits).findFirst();
    }

    Set<T> all(RecordContent content) {
        return records.getOrDefault(content, Set.of());
    }

    void remove(RecordContent content, T record) {
        Set<T> present = all(content);
        if (present.size() > 1) {
            present.remove(record);
        } else if (present.contains(record)) {
            records.remove(content);
        }
    }
}
