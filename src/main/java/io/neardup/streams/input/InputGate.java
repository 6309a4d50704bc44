package io.neardup.streams.input;

import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.TopicPartition;

/**
 * What coordinators ask of the consumers that read for them, the {@link GatedConsumer}s.
 *
 * <p>Which coordinators take no more documents for now: while the coordinators of this process together have too much
 * in flight, as behind a backlog or while an index partition is away, input is left where it is, in the topic. A
 * coordinator with less than its even share of the bound goes on all the same, so that one whose first document waits
 * does not stop the others. Together they can thus have twice the bound. A topic also stays open while others wait for
 * a document of it that the coordinator had read before its restart: all before that document was in flight then,
 * within the same bound.
 *
 * <p>Which inputs are handed over to a successor.
 *
 * <p>And from where on an input must be read after a start, as a coordinator keeps nothing of what is in flight but
 * reads it again; and what of that is not there any more.
 */
public final class InputGate {
    /** The first record that is there, whatever the group has committed. */
    public static final InputPosition EARLIEST = new InputPosition(-1);

    private final long documentsMax;
    private final long bytesMax;
    private final Map<Integer, Load> loads = new ConcurrentHashMap<>();
    private final Map<Integer, Long> pauses = new ConcurrentHashMap<>();
    private final Map<TopicPartition, Start> starts = new ConcurrentHashMap<>();
    private final Set<TopicPartition> handedOver = ConcurrentHashMap.newKeySet();
    private final Map<TopicPartition, Long> deletedBefore = new ConcurrentHashMap<>();

    /** What a coordinator has in flight, and the topics of what others wait for and it has not taken yet. */
    private record Load(int documents, long bytes, Set<String> awaitedTopics) {
        static final Load NONE = new Load(0, 0, Set.of());
    }

    /** @param thread the stream thread of the coordinator, whose consumer it is for */
    private record Start(Thread thread, InputPosition position) {}

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
     * Notes what a coordinator has in flight now.
     *
     * @param awaitedTopics topics of documents that others wait for and that it has not taken again since its start
     */
    public void noteHeld(int coordinator, int documentsHeld, long bytesHeld, Set<String> awaitedTopics) {
        loads.put(coordinator, new Load(documentsHeld, bytesHeld, Set.copyOf(awaitedTopics)));
    }

    /** Closes an input for good, whatever the coordinator has in flight: the successor reads on there. */
    public void handOver(TopicPartition input) {
        handedOver.add(input);
    }

    /** Whether the coordinator of an input partition is to take no more documents of it for now. */
    public boolean isClosed(TopicPartition input) {
        if (handedOver.contains(input)) {
            return true;
        }
        Load load = loads.getOrDefault(input.partition(), Load.NONE);
        int coordinators = Math.max(1, loads.size());
        boolean documentsFull = load.documents >= documentsMax / coordinators && held(Load::documents) >= documentsMax;
        boolean bytesFull = load.bytes >= bytesMax / coordinators && held(Load::bytes) >= bytesMax;
        return (documentsFull || bytesFull) && !load.awaitedTopics.contains(input.topic());
    }

    /** By all coordinators together. */
    private long held(ToLongFunction<Load> of) {
        return loads.values().stream().mapToLong(of).sum();
    }

    /**
     * Asks that an input is read from a position on, by the consumer of this thread.
     *
     * @param position of the coordinator, or {@link #EARLIEST}
     */
    public void startAt(TopicPartition input, InputPosition position) {
        starts.put(input, new Start(Thread.currentThread(), position));
    }

    /** Notes that nothing of an input comes before an offset any more, as it was deleted. */
    public void noteDeleted(TopicPartition input, long beforeOffset) {
        deletedBefore.put(input, beforeOffset);
    }

    /** Before which offset nothing of an input comes any more: 0 where none was {@linkplain #noteDeleted deleted}. */
    public long deletedBefore(TopicPartition input) {
        return deletedBefore.getOrDefault(input, 0L);
    }

    /** Whether something of any input was {@linkplain #noteDeleted deleted}. */
    public boolean isAnyDeleted() {
        return !deletedBefore.isEmpty();
    }

    /** Notes that an input is paused because too much is in flight; not that it is handed over. */
    void notePause(TopicPartition input) {
        if (!handedOver.contains(input)) {
            pauses.merge(input.partition(), 1L, Long::sum);
        }
    }

    /** How often as too much was in flight, since the coordinator started. */
    public long pauses(int coordinator) {
        return pauses.getOrDefault(coordinator, 0L);
    }

    /** A coordinator is closed: what it held and asked for no longer counts. */
    public void forget(int coordinator) {
        loads.remove(coordinator);
        pauses.remove(coordinator);
        handedOver.removeIf(input -> input.partition() == coordinator);
        starts.keySet().removeIf(input -> input.partition() == coordinator);
        deletedBefore.keySet().removeIf(input -> input.partition() == coordinator);
    }

    /** Where to go on, for the thread of the coordinator alone. */
    Optional<InputPosition> start(TopicPartition input) {
        return Optional.ofNullable(starts.get(input))
                .filter(start -> start.thread() == Thread.currentThread())
                .map(Start::position);
    }

    /** As {@link #start}, once. */
    public Optional<InputPosition> takeStart(TopicPartition input) {
        Optional<InputPosition> position = start(input);
        if (position.isPresent()) {
            starts.remove(input);
        }
        return position;
    }
}
