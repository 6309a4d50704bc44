package io.neardup.streams;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which homes take no more documents for now. A home closes its gate when too much is in flight, for example while a band
 * partition is away; the {@link GatedConsumer} then leaves its input where it is, in the topic.
 */
public final class InputGate {
    private final Set<Integer> closed = ConcurrentHashMap.newKeySet();

    void close(int home) {
        closed.add(home);
    }

    void open(int home) {
        closed.remove(home);
    }

    boolean isClosed(int home) {
        return closed.contains(home);
    }
}
