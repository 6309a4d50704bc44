package io.neardup.streams.metrics;

import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which of any number of names come most, with a bounded number of counters: the Space-Saving algorithm (Metwally,
 * Agrawal, El Abbadi 2005). A name without a counter takes that of the least one, and does not know what it missed: at
 * most as much as that one had counted or missed. So no name is missing that came more often than the sum of all over
 * the number of counters. Not thread-safe.
 *
 * @param <T> what else is kept of a name while it has a counter
 */
final class SpaceSaving<T> {
    private final int max;
    private final Supplier<T> fresh;
    private final Map<String, Counter<T>> counters = new HashMap<>();

    /** @param max how many counters, at least 1 */
    SpaceSaving(int max, Supplier<T> fresh) {
        this.max = max;
        this.fresh = fresh;
    }

    static final class Counter<T> {
        final String name;
        final T kept;
        /** How often it came before, at the most. */
        final long missedMax;

        private long counted;

        private Counter(String name, T kept, long missedMax) {
            this.name = name;
            this.kept = kept;
            this.missedMax = missedMax;
        }

        /** How often it has come since it has the counter. */
        long counted() {
            return counted;
        }

        private long most() {
            return counted + missedMax;
        }
    }

    Counter<T> add(String name) {
        @Nullable Counter<T> found = counters.get(name);
        Counter<T> counter = found == null ? counterOf(name) : found;
        counter.counted++;
        return counter;
    }

    private Counter<T> counterOf(String name) {
        long missedMax = 0;
        if (counters.size() == max) {
            Counter<T> least = Collections.min(counters.values(), Comparator.comparingLong(Counter::most));
            counters.remove(least.name);
            missedMax = least.most();
        }
        Counter<T> counter = new Counter<>(name, fresh.get(), missedMax);
        counters.put(name, counter);
        return counter;
    }

    /** Those that have a counter, the one that came most first; of equals by name. */
    Stream<Counter<T>> most() {
        return counters.values().stream()
                .sorted(Comparator.<Counter<T>>comparingLong(Counter::counted)
                        .reversed()
                        .thenComparing(counter -> counter.name));
    }
}
