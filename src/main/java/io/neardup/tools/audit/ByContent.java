package io.neardup.tools.audit;

import io.neardup.tools.audit.ContentHash.Content;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Records by what they are recognised by, those of equal content in the order in which they came. */
final class ByContent<T> {
    private final Map<Content, Set<T>> records = new HashMap<>();

    void add(Content content, T record) {
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
    Optional<T> first(Content content, Predicate<T> fits) {
        return all(content).stream().filter(fits).findFirst();
    }

    Set<T> all(Content content) {
        return records.getOrDefault(content, Set.of());
    }

    void remove(Content content, T record) {
        Set<T> present = all(content);
        if (present.size() > 1) {
            present.remove(record);
        } else if (present.contains(record)) {
            records.remove(content);
        }
    }
}
