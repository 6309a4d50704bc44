package io.neardup.streams;

import io.neardup.document.Rejection;
import io.neardup.protocol.Decision;
import io.neardup.protocol.Message;
import io.neardup.protocol.Message.Remove;
import io.neardup.protocol.Message.ToBands;
import io.neardup.protocol.Message.ToHome;
import io.neardup.protocol.Outbox;
import io.neardup.wire.MessageCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Turns what a home sends into records, one for a batch of messages to the same receiver, as a record costs much more than
 * a message.
 *
 * <p>Messages to homes leave with the step that sent them. Lookups gather over steps, up to {@value #BATCH_MESSAGES_MAX}
 * or {@value #GATHER_MILLIS} ms; the first after a quiet moment goes at once. What gathers is not durable, and need not be:
 * after a crash the home asks again. A remove must not be lost: it leaves with its step, behind all that gathered before.
 */
final class HomePublisher implements Outbox<Arrival> {
    static final int GATHER_MILLIS = 5;
    private static final int BATCH_MESSAGES_MAX = 64;
    private static final int BATCH_BYTES_MAX = 256 * 1024;

    private final ProcessorContext<Routed, byte[]> context;
    private final OutputRecords outputs;
    private final HomeMetrics metrics;
    private final Batches toBands = new Batches(DedupTopology.LOOKUPS);
    private final Batches toHomes = new Batches(DedupTopology.REPLIES);
    private long lastFlushMillis;
    private long releasedBytes;

    HomePublisher(ProcessorContext<Routed, byte[]> context, OutputRecords outputs, HomeMetrics metrics) {
        this.context = context;
        this.outputs = outputs;
        this.metrics = metrics;
    }

    @Override
    public void toBands(int bandPartition, ToBands message) {
        toBands.add(bandPartition, message);
    }

    @Override
    public void toHome(int home, ToHome message) {
        toHomes.add(home, message);
    }

    @Override
    public void release(Arrival arrival, Decision decision) {
        releasedBytes += OutputLimits.bytesMax(arrival.input());
        Rejection rejection = arrival.rejection();
        if (decision instanceof Decision.Duplicate duplicate) {
            context.forward(outputs.duplicate(arrival, duplicate), DedupTopology.DUPLICATES);
            metrics.duplicate();
        } else if (decision instanceof Decision.Unjudged && rejection != null) {
            long nowMillis = context.currentSystemTimeMs();
            context.forward(outputs.deadLetter(arrival.input(), rejection, nowMillis), DedupTopology.DEAD_LETTER);
            metrics.deadLetter();
        } else {
            context.forward(outputs.unique(arrival), DedupTopology.UNIQUE);
            metrics.unique();
        }
    }

    /** The sum of {@link OutputLimits#bytesMax} of what was released since the start. */
    long releasedBytes() {
        return releasedBytes;
    }

    /** Ends a step of the home: sends what must leave with it, and what has gathered long enough. */
    void endStep(long nowMillis) {
        toHomes.flush(true);
        boolean due = nowMillis - lastFlushMillis >= GATHER_MILLIS || nowMillis < lastFlushMillis;
        if (due && isGathering()) {
            lastFlushMillis = nowMillis;
        }
        toBands.flush(due);
    }

    /** Whether lookups wait for more to go with them. */
    boolean isGathering() {
        return !toBands.waiting.isEmpty();
    }

    /** What gathers for one sink, by receiver. */
    private final class Batches {
        private final String sink;
        private final Map<Integer, Batch> byReceiver = new HashMap<>();
        /** The batches that are not empty. */
        private final Set<Batch> waiting = new LinkedHashSet<>();

        private boolean mustLeave;

        Batches(String sink) {
            this.sink = sink;
        }

        void add(int receiver, Message message) {
            Batch batch = byReceiver.computeIfAbsent(receiver, Batch::new);
            int bytes = MessageCodec.bytesMax(message);
            if (batch.bytes + bytes > BATCH_BYTES_MAX || batch.messages.size() == BATCH_MESSAGES_MAX) {
                send(batch);
            }
            waiting.add(batch);
            batch.messages.add(message);
            batch.bytes += bytes;
            batch.mustLeave |= message instanceof Remove;
            mustLeave |= batch.mustLeave;
        }

        /** @param all false: only what must leave */
        void flush(boolean all) {
            if (all || mustLeave) {
                List<Batch> leaving =
                        waiting.stream().filter(batch -> all || batch.mustLeave).toList();
                leaving.forEach(this::send);
                waiting.removeAll(leaving);
                mustLeave = false;
            }
        }

        private void send(Batch batch) {
            byte[] value = MessageCodec.encode(batch.messages);
            context.forward(new Record<>(new Routed(batch.receiver, null), value, context.currentSystemTimeMs()), sink);
            batch.messages.clear();
            batch.bytes = 0;
            batch.mustLeave = false;
        }
    }

    private static final class Batch {
        private final int receiver;
        private final List<Message> messages = new ArrayList<>();
        private int bytes;
        private boolean mustLeave;

        Batch(int receiver) {
            this.receiver = receiver;
        }
    }
}
