package io.neardup.tools.audit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * What is kept by hash, of all hashes or of one class of 2, 4, 8 and so on, as many as are needed to stay within a
 * bound of memory. So many passes, each with another class, look at all.
 */
final class Sample<T> {
    private static final int ENTRY_BYTES = 150;

    private final Map<Long, List<T>> kept = new HashMap<>();
    private final long bytesMax;
    private final ToLongFunction<T> bytesOf;
    private long bytes;
    private int pass;
    private int classes = 1;

    /** @param bytesOf without what it takes to keep one; it may change with the classes */
    Sample(long bytesMax, ToLongFunction<T> bytesOf) {
        this.bytesMax = bytesMax;
        this.bytesOf = bytesOf;
    }

    boolean takes(long hash) {
        return (hash & (classes - 1)) == pass;
    }

    List<T> of(long hash) {
        return kept.getOrDefault(hash, List.of());
    }

    /** Those of one hash each. */
    Map<Long, List<T>> all() {
        return kept;
    }

    /**
     * Keeps one of a hash that it takes. Where the first pass keeps too much, there are twice as many classes, and what
     * is taken no more goes. Later passes have classes of about the same size, and stay as they are.
     */
    void add(long hash, T item) {
        kept.computeIfAbsent(hash, first -> new ArrayList<>(1)).add(item);
        bytes += bytes(item);
        while (isFirstPass() && bytes > bytesMax) {
            classes *= 2;
            kept.keySet().removeIf(other -> !takes(other));
            bytes = kept.values().stream()
                    .flatMap(Collection::stream)
                    .mapToLong(this::bytes)
                    .sum();
        }
    }

    private long bytes(T item) {
        return ENTRY_BYTES + bytesOf.applyAsLong(item);
    }

    void endPass() {
        kept.clear();
        bytes = 0;
    }

    /** Behind the last class nothing is taken. */
    void startPass() {
        pass++;
    }

    boolean isFirstPass() {
        return pass == 0;
    }

    /** A power of 2. */
    int classes() {
        return classes;
    }

    /** Whether no pass has looked at some. */
    boolean isPart() {
        return pass + 1 < classes;
    }

    /** What there is to say then. */
    String note(String of) {
        return "a sample: one of " + classes + " parts of the " + of
                + "; --all looks at all in so many passes, a larger" + " heap (java -Xmx4g -jar ...) needs fewer";
    }
}
