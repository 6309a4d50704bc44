package io.neardup.tools.feed;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What of a feed were no records.
 *
 * @param counts parts by the reason
 * @param examples of the defects among them the first, each with file, place and what was found; never content
 */
public record SkippedTotals(SortedMap<Skip, Long> counts, List<String> examples) {
    /** Nothing. */
    public static final SkippedTotals NONE = new SkippedTotals(new TreeMap<>(), List.of());

    public SkippedTotals {
        counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
        examples = List.copyOf(examples);
    }

    /** Parts in all. */
    public long parts() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Parts in which something was wrong. */
    public long defects() {
        return counts.entrySet().stream()
                .filter(entry -> entry.getKey().isDefect())
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** What was skipped here and there. */
    public SkippedTotals and(SkippedTotals other) {
        SortedMap<Skip, Long> sums = new TreeMap<>(counts);
        other.counts.forEach((skip, count) -> sums.merge(skip, count, Long::sum));
        List<String> all =
                Stream.concat(examples.stream(), other.examples.stream()).toList();
        return new SkippedTotals(sums, all);
    }
}
