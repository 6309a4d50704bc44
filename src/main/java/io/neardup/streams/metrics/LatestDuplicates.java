package io.neardup.streams.metrics;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/** The duplicates that left last, the latest first. Thread-safe. */
public final class LatestDuplicates {
    public static final int MAX = 20;

    private final Deque<Repeat> entries = new ArrayDeque<>();

    /**
     * A duplicate.
     *
     * @param similarity to its original
     * @param releasedMillis when it left
     */
    public record Repeat(String id, String originalId, double similarity, long releasedMillis) {}

    /**
     * Takes what has left.
     *
     * @param more the oldest first
     */
    public synchronized void add(Collection<Repeat> more) {
        for (Repeat entry : more) {
            entries.addFirst(entry);
        }
        while (entries.size() > MAX) {
            entries.removeLast();
        }
    }

    /** At most {@value #MAX}. */
    public synchronized List<Repeat> list() {
        return List.copyOf(entries);
    }
}
