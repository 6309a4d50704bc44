package io.neardup.feed;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts what is passed over in the files of a feed, and keeps the first defects as examples. Not thread-safe. */
final class SkippedParts {
    static final int EXAMPLES_MAX = 3;

    private final Map<Skip, Long> counts = new EnumMap<>(Skip.class);
    private final List<String> examples = new ArrayList<>();

    /**
     * Counts one.
     *
     * @param where its place, {@code file:number}
     * @param offset of its first byte, as {@link PackedInput#offset}
     * @param found what is wrong; without content
     */
    void add(Skip skip, String where, long offset, String found) {
        counts.merge(skip, 1L, Long::sum);
        if (skip.isDefect() && examples.size() < EXAMPLES_MAX) {
            examples.add(where + " at byte " + offset + ": " + skip.code() + ", " + found);
        }
    }

    PassedOver snapshot() {
        return new PassedOver(new TreeMap<>(counts), examples);
    }
}
