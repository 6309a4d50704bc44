package io.neardup.tools.audit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** In how many places a promise is broken, by the kind of the break, and the first witness of each kind. */
public final class Breaks {
    private final Map<String, Kind> kinds = new LinkedHashMap<>();

    /**
     * Breaks of one kind.
     *
     * @param count at least 1
     * @param witness the first of them: where, what was expected, what was found
     */
    public record Kind(long count, String witness) {}

    void add(String kind, Supplier<String> witness) {
        Kind before = kinds.get(kind);
        kinds.put(kind, before == null ? new Kind(1, witness.get()) : new Kind(before.count + 1, before.witness));
    }

    /** Takes over what another pass has found. */
    void addAll(Breaks other) {
        other.kinds.forEach((kind, found) ->
                kinds.merge(kind, found, (before, more) -> new Kind(before.count + more.count, before.witness)));
    }

    public boolean isEmpty() {
        return kinds.isEmpty();
    }

    /** By name, in the order in which they were found. */
    public Map<String, Kind> kinds() {
        return kinds;
    }

    /** All of them. */
    public long count() {
        return kinds.values().stream().mapToLong(Kind::count).sum();
    }
}
