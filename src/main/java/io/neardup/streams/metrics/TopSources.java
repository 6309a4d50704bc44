package io.neardup.streams.metrics;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which sources had the most duplicates, of any number of sources, with {@value #MAX} counters: the Space-Saving
 * algorithm (Metwally, Agrawal, El Abbadi 2005). A source that has no counter takes that of the least one, with its
 * count. So a count is too high by at most the sum of all over {@value #MAX}, never too low, and no source with more
 * than that is missing. Thread-safe.
 */
public final class TopSources {
    static final int MAX = 256;

    private final Map<String, Long> counts = new HashMap<>();

    /**
     * A source.
     *
     * @param duplicates at most so many
     */
    public record SourceCount(String name, long duplicates) {}

    /** Counts duplicates of a source. */
    public synchronized void add(String source, long duplicates) {
        if (counts.size() < MAX || counts.containsKey(source)) {
            counts.merge(source, duplicates, Long::sum);
            return;
        }
        Map.Entry<String, Long> least =
                counts.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
        counts.remove(least.getKey());
        counts.put(source, least.getValue() + duplicates);
    }

    /** Counts all that others have, and takes it from them. */
    public synchronized void takeAll(TopSources others) {
        synchronized (others) {
            others.counts.forEach(this::add);
            others.counts.clear();
        }
    }

    /** Those with the most duplicates, most first. */
    public synchronized List<SourceCount> top(int max) {
        return counts.entrySet().stream()
                .map(entry -> new SourceCount(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingLong(SourceCount::duplicates)
                        .reversed()
                        .thenComparing(SourceCount::name))
                .limit(max)
                .toList();
    }
}
