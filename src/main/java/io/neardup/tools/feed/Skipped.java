package io.neardup.tools.feed;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Counts what is skipped in the files of a feed, and keeps the first defects as examples. One thread
 * adds, others may ask for the totals.
 */
public final class Skipped {
    static final int EXAMPLES_MAX = 3;

    private final Map<Skip, Long> counts = new EnumMap<>(Skip.class);
    private final List<String> examples = new ArrayList<>();
    private Consumer<Part> each = part -> {};

    /** Counts one; the parameters are those of {@link Part}. */
    void add(Skip skip, String file, long number, long offset, String found) {
        Part part = new Part(file, number, offset, skip, found);
        synchronized (this) {
            counts.merge(skip, 1L, Long::sum);
            if (skip.isDefect() && examples.size() < EXAMPLES_MAX) {
                examples.add(part.toString());
            }
        }
        each.accept(part);
    }

    void report(Consumer<Part> reported) {
        each = reported;
    }

    synchronized Totals snapshot() {
        return new Totals(new TreeMap<>(counts), examples);
    }

    /**
     * A part of a file that was skipped.
     *
     * @param file as it was given, or {@code stdin}
     * @param record which part of the file it is, from 1; 0 for the file as a whole
     * @param offset of its first byte: in gzip that of its member, in zstd that in the unpacked bytes, in RSS and Atom
     *     that of its first character
     * @param detail what is wrong, never content; may be empty
     */
    public record Part(String file, long record, long offset, Skip kind, String detail) {
        @Override
        public String toString() {
            return file + (record == 0 ? "" : ":" + record) + " at byte " + offset + ": " + kind.code() + ", " + detail;
        }
    }

    /**
     * What of a feed were no records.
     *
     * @param counts parts by the reason: as JSON all that there is
     * @param examples of the defects among them the first, each with file, place and what was found; never content
     */
    public record Totals(@JsonValue SortedMap<Skip, Long> counts, List<String> examples) {
        public static final Totals NONE = new Totals(new TreeMap<>(), List.of());

        public Totals {
            counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
            examples = List.copyOf(examples);
        }

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

        public Totals and(Totals other) {
            SortedMap<Skip, Long> sums = new TreeMap<>(counts);
            other.counts.forEach((skip, count) -> sums.merge(skip, count, Long::sum));
            return new Totals(
                    sums,
                    Stream.concat(examples.stream(), other.examples.stream()).toList());
        }
    }
}
