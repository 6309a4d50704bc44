package io.neardup.streams.topology;

import io.neardup.streams.store.Batch;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Messages that wait to be sent through one sink, as one record for each receiver: a record costs much more than a
 * message. Each receiver gets them in their order. They take {@value #BYTES_MAX} bytes at the most, and the length of
 * the last one: at that bound all are sent, and a receiver's when they fill a record. Their buffers are used again, and
 * take no more than that together, either. For tasks with a {@link io.neardup.streams.store.LoggedStore}: a commit may
 * pass without a call of {@link #sendAll} where a task has none.
 */
final class CommitBatcher<T> {
    private static final int BYTES_MAX = 1 << 20;

    private final ProcessorContext<Routed, byte[]> context;
    private final String sink;
    private final Supplier<Batch<T>> batches;
    private final Map<Integer, Batch<T>> byReceiver = new HashMap<>();
    /** Those that are not empty. */
    private final Map<Integer, Batch<T>> waiting = new LinkedHashMap<>();

    private int bytes;

    CommitBatcher(ProcessorContext<Routed, byte[]> context, String sink, Supplier<Batch<T>> batches) {
        this.context = context;
        this.sink = sink;
        this.batches = batches;
    }

    /** @param receiver a partition of the sink's topic, or {@link Routed#ALL} */
    void add(int receiver, T message) {
        Batch<T> batch = byReceiver.computeIfAbsent(receiver, unused -> batches.get());
        if (batch.isEmpty()) {
            waiting.put(receiver, batch);
        }
        int before = batch.bytes();
        batch.add(message);
        bytes += batch.bytes() - before;
        if (batch.isFull()) {
            waiting.remove(receiver);
            send(receiver, batch);
        } else if (bytes >= BYTES_MAX) {
            sendAll();
        }
    }

    void sendAll() {
        waiting.forEach(this::send);
        waiting.clear();
    }

    private void send(int receiver, Batch<T> batch) {
        byte[] value = batch.take(BYTES_MAX / byReceiver.size());
        bytes -= value.length - batch.bytes();
        context.forward(new Record<>(new Routed(receiver, null), value, context.currentSystemTimeMs()), sink);
    }
}
