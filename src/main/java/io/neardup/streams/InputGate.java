package io.neardup.streams;

import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;

/**
 * What homes ask of the consumers that read for them, the {@link GatedConsumer}s.
 *
 * <p>Which homes take no more documents for now: a home closes its gate when too much is in flight, for example while a band
 * partition is away; its input is then left where it is, in the topic. And from where on it must be read after a start, as a
 * home keeps nothing of what is in flight but reads it again.
 */
public final class InputGate {
    private final Set<Integer> closed = ConcurrentHashMap.newKeySet();
    private final Map<TopicPartition, Start> starts = new ConcurrentHashMap<>();

    /** @param thread the stream thread of the home, whose consumer it is for */
    private record Start(Thread thread, long offset) {}

    void close(int home) {
        closed.add(home);
    }

    void open(int home) {
        closed.remove(home);
    }

    boolean isClosed(int home) {
        return closed.contains(home);
    }

    void startAt(TopicPartition input, long offset) {
        starts.put(input, new Start(Thread.currentThread(), offset));
    }

    /** A home is closed: what it asked for no longer holds. */
    void forget(int home) {
        open(home);
        starts.keySet().removeIf(input -> input.partition() == home);
    }

    /** The offset to go on from, once, and for the thread of the home alone. */
    OptionalLong takeStart(TopicPartition input) {
        Start start = starts.get(input);
        if (start == null || start.thread() != Thread.currentThread()) {
            return OptionalLong.empty();
        }
        starts.remove(input, start);
        return OptionalLong.of(start.offset());
    }
}
