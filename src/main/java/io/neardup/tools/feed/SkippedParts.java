package io.neardup.tools.feed;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Counts what is skipped in the files of a feed, and keeps the first defects as examples. One thread
 * adds, others may ask for the totals.
 */
final class SkippedParts {
    static final int EXAMPLES_MAX = 3;

    private final Map<Skip, Long> counts = new EnumMap<>(Skip.class);
    private final List<String> examples = new ArrayList<>();
    private Consumer<SkippedPart> each = part -> {};

    /**
     * Counts one.
     *
     * @param number which part of the file, from 1; 0 for the file as a whole
     * @param offset of its first byte, as {@link PackedInput#offset}
     * @param found what is wrong; without content
     */
    void add(Skip skip, String file, long number, long offset, String found) {
        SkippedPart part = new SkippedPart(file, number, offset, skip, found);
        synchronized (this) {
            counts.merge(skip, 1L, Long::sum);
            if (skip.isDefect() && examples.size() < EXAMPLES_MAX) {
                examples.add(part.toString());
            }
        }
        each.accept(part);
    }

    /** Reports each part that comes from now on. */
    void report(Consumer<SkippedPart> reported) {
        each = reported;
    }

    synchronized SkippedTotals snapshot() {
        return new SkippedTotals(new TreeMap<>(counts), examples);
    }
}
