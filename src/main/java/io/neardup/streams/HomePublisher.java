package io.neardup.streams;

import io.neardup.document.Rejection;
import io.neardup.protocol.Decision;
import io.neardup.protocol.Message;
import io.neardup.protocol.Message.Remove;
import io.neardup.protocol.Message.ToBands;
import io.neardup.protocol.Message.ToHome;
import io.neardup.protocol.Outbox;
import io.neardup.wire.MessageBatch;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Turns what a home sends into records, one for a batch of messages to the same receiver, as a record costs much more
 * than a message.
 *
 * <p>Messages to homes leave with the step that sent them. Lookups gather over steps, up to {@value #BATCH_MESSAGES}
 * or {@value #GATHER_MILLIS} ms; the first after {@value #QUIET_MILLIS} quiet ms goes at once. What gathers is not
 * durable, and need not be: after a crash the home asks again. A remove must not be lost: it leaves with its step. It
 * may overtake what gathers, which are lookups of documents that just came; those that ask again leave with their
 * step too, so that none of them follows the remove of its document.
 */
final class HomePublisher implements Outbox<Arrival> {
    static final int GATHER_MILLIS = 20;
    private static final int QUIET_MILLIS = 100;
    private static final int BATCH_MESSAGES = 64;

    private final ProcessorContext<Routed, byte[]> context;
    private final OutputRecords outputs;
    private final HomeMetrics metrics;
    private final Gathering lookups = new Gathering(NodeNames.LOOKUPS);
    private final Gathering removes = new Gathering(NodeNames.LOOKUPS);
    private final Gathering toHomes = new Gathering(NodeNames.REPLIES);
    private long lastFlushMillis;
    private long releasedBytes;

    HomePublisher(ProcessorContext<Routed, byte[]> context, OutputRecords outputs, HomeMetrics metrics) {
        this.context = context;
        this.outputs = outputs;
        this.metrics = metrics;
    }

    @Override
    public void toBands(int bandPartition, ToBands message) {
        (message instanceof Remove ? removes : lookups).add(bandPartition, message);
    }

    @Override
    public void toHome(int home, ToHome message) {
        toHomes.add(home, message);
    }

    @Override
    public void toAllHomes(ToHome message) {
        toHomes.add(Routed.ALL, message);
    }

    @Override
    public void release(Arrival arrival, Decision decision) {
        releasedBytes += OutputLimits.bytesMax(arrival.input());
        Rejection rejection = arrival.rejection();
        if (decision instanceof Decision.Duplicate duplicate) {
            context.forward(outputs.duplicate(arrival, duplicate), NodeNames.DUPLICATES);
            metrics.duplicate();
        } else if (rejection != null) {
            long nowMillis = context.currentSystemTimeMs();
            context.forward(outputs.deadLetter(arrival.input(), rejection, nowMillis), NodeNames.DEAD_LETTER);
            metrics.deadLetter(rejection.reason());
        } else if (decision instanceof Decision.Unique || decision instanceof Decision.Unjudged) {
            // What is not judged and not rejected is a tombstone.
            context.forward(outputs.unique(arrival), NodeNames.UNIQUE);
            metrics.unique();
        } else {
            throw new IllegalStateException("a decision: expected one that an output takes, found a "
                    + decision.getClass().getSimpleName());
        }
    }

    /** The sum of {@link OutputLimits#bytesMax} of what was released since the start. */
    long releasedBytes() {
        return releasedBytes;
    }

    /** Ends a step of the home: sends what must leave with it, and what has nothing to wait for. */
    void endStep(long nowMillis) {
        toHomes.flush();
        removes.flush();
        boolean quiet = nowMillis - lastFlushMillis >= QUIET_MILLIS || nowMillis < lastFlushMillis;
        if (quiet && isGathering()) {
            flush(nowMillis);
        }
    }

    /** Sends all. To be called every {@value #GATHER_MILLIS} ms while something gathers. */
    void flush(long nowMillis) {
        lastFlushMillis = nowMillis;
        lookups.flush();
        removes.flush();
        toHomes.flush();
    }

    /** Whether lookups wait for more to go with them. */
    boolean isGathering() {
        return !lookups.waiting.isEmpty();
    }

    /** What gathers for one sink, by receiver. */
    private final class Gathering {
        private final String sink;
        private final Map<Integer, Gathered> byReceiver = new HashMap<>();
        /** The batches that are not empty. */
        private final Set<Gathered> waiting = new LinkedHashSet<>();

        Gathering(String sink) {
            this.sink = sink;
        }

        void add(int receiver, Message message) {
            Gathered gathered = byReceiver.computeIfAbsent(receiver, Gathered::new);
            waiting.add(gathered);
            gathered.batch.add(message);
            if (gathered.isFull()) {
                send(gathered);
                waiting.remove(gathered);
            }
        }

        void flush() {
            waiting.forEach(this::send);
            waiting.clear();
        }

        private void send(Gathered gathered) {
            Routed to = new Routed(gathered.receiver, null);
            context.forward(new Record<>(to, gathered.batch.take(), context.currentSystemTimeMs()), sink);
        }
    }

    private static final class Gathered {
        private final int receiver;
        private final MessageBatch batch = new MessageBatch();

        Gathered(int receiver) {
            this.receiver = receiver;
        }

        boolean isFull() {
            return batch.messages() >= BATCH_MESSAGES || batch.isFull();
        }
    }
}
