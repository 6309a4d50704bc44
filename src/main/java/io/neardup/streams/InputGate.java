package io.neardup.streams;

import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;

/**
 * What homes ask of the consumers that read for them, the {@link GatedConsumer}s.
 *
 * <p>Which homes take no more documents for now: while the homes of this process together have too much in flight, as behind
 * a backlog or while a band partition is away, their input is left where it is, in the topic. All but that of a home that
 * others wait for: it must go on, or nobody would. And from where on an input must be read after a start, as a home keeps
 * nothing of what is in flight but reads it again.
 */
public final class InputGate {
    private final long documentsMax;
    private final long bytesMax;
    private final AtomicLong documents = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final Map<Integer, Load> loads = new ConcurrentHashMap<>();
    private final Map<TopicPartition, Start> starts = new ConcurrentHashMap<>();

    /** What a home has in flight, and whether it must go on. */
    private record Load(int documents, long bytes, boolean goesOn) {
        static final Load NONE = new Load(0, 0, false);
    }

    /** @param thread the stream thread of the home, whose consumer it is for */
    private record Start(Thread thread, long offset) {}

    /**
     * An open gate.
     *
     * @param documentsMax documents in flight in this process at which it closes
     * @param bytesMax the same in bytes of their records
     */
    public InputGate(long documentsMax, long bytesMax) {
        this.documentsMax = documentsMax;
        this.bytesMax = bytesMax;
    }

    /**
     * Notes what a home has in flight now.
     *
     * @param goesOn whether it must take more all the same
     */
    void holds(int home, int documentsHeld, long bytesHeld, boolean goesOn) {
        replace(home, new Load(documentsHeld, bytesHeld, goesOn));
    }

    private void replace(int home, Load load) {
        Load before = loads.put(home, load);
        before = before == null ? Load.NONE : before;
        documents.addAndGet(load.documents - before.documents);
        bytes.addAndGet(load.bytes - before.bytes);
    }

    boolean isClosed(int home) {
        boolean full = documents.get() >= documentsMax || bytes.get() >= bytesMax;
        return full && !loads.getOrDefault(home, Load.NONE).goesOn;
    }

    void startAt(TopicPartition input, long offset) {
        starts.put(input, new Start(Thread.currentThread(), offset));
    }

    /** A home is closed: what it held and asked for no longer counts. */
    void forget(int home) {
        replace(home, Load.NONE);
        loads.remove(home);
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
