package io.neardup.streams.metrics;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Of which sources the records are that wait for long: each task looks at a few of its own now and then. Holds as many
 * names as they looked at. Thread-safe.
 */
public final class WaitingSources {
    private final Map<Object, List<String>> byTask = new HashMap<>();

    /**
     * The source that most of them have.
     *
     * @param records of it
     * @param lookedAt records of any source, and of none
     */
    public record Most(String name, long records, long lookedAt) {}

    /**
     * Takes what a task found, in place of what it found before.
     *
     * @param task known by identity
     * @param names one for each record looked at; empty for a record without a source
     */
    public synchronized void set(Object task, List<String> names) {
        byTask.put(task, List.copyOf(names));
    }

    /** Forgets what a task found: none of its records waits for long, or it is closed. */
    public synchronized void remove(Object task) {
        byTask.remove(task);
    }

    /** Empty where no record waits for long, or none names a source. */
    public synchronized Optional<Most> most() {
        Map<String, Long> counts = byTask.values().stream()
                .flatMap(List::stream)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        long lookedAt = counts.values().stream().mapToLong(Long::longValue).sum();
        return counts.entrySet().stream()
                .filter(count -> !count.getKey().isEmpty())
                .max(Map.Entry.<String, Long>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .map(count -> new Most(count.getKey(), count.getValue(), lookedAt));
    }
}
