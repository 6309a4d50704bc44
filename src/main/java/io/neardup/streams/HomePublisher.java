package io.neardup.streams;

import io.neardup.document.InputRecord;
import io.neardup.document.Rejection;
import io.neardup.protocol.Bound;
import io.neardup.protocol.Decision;
import io.neardup.protocol.Message;
import io.neardup.protocol.Message.Remove;
import io.neardup.protocol.Message.ToBands;
import io.neardup.protocol.Message.ToChecker;
import io.neardup.protocol.Message.ToHome;
import io.neardup.protocol.Outbox;
import io.neardup.wire.MessageBatch;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    private static final Logger LOG = LoggerFactory.getLogger(HomePublisher.class);

    private final ProcessorContext<Routed, byte[]> context;
    private final OutputRecords outputs;
    private final OutputLimits.ByOutput limits;
    private final HomeMetrics metrics;
    private final Gathering lookups = new Gathering(NodeNames.LOOKUPS);
    private final Gathering removes = new Gathering(NodeNames.LOOKUPS);
    private final Gathering toHomes = new Gathering(NodeNames.REPLIES);
    private final Gathering toCheckers = new Gathering(NodeNames.CHECKS_OF_HOME);
    private long lastFlushMillis;
    private long releasedBytes;

    HomePublisher(
            ProcessorContext<Routed, byte[]> context,
            OutputRecords outputs,
            OutputLimits.ByOutput limits,
            HomeMetrics metrics) {
        this.context = context;
        this.outputs = outputs;
        this.limits = limits;
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
    public void toChecker(ToChecker message) {
        toCheckers.add(0, message);
    }

    @Override
    public boolean release(Arrival arrival, Decision decision) {
        long bytes = OutputLimits.bytesMax(arrival.input());
        releasedBytes += bytes;
        if (arrival.rejection() != null) {
            deadLetter(arrival, arrival.rejection());
            return true;
        }
        Set<Bound> bounds = decision instanceof Decision.Unique unique ? unique.bounds() : Set.of();
        Record<Routed, byte[]> output = output(arrival, decision, bounds);
        boolean duplicate = decision instanceof Decision.Duplicate;
        long nowMillis = nowMillis();
        boolean asItCame = !duplicate && bounds.isEmpty();
        long outputBytes = asItCame ? bytes : OutputLimits.bytesMax(output);
        Optional<Rejection> refused =
                (duplicate ? limits.duplicates() : limits.unique()).check(arrival.input(), outputBytes, nowMillis);
        if (refused.isPresent()) {
            leaveRefused(arrival, decision, refused.get());
            return false;
        }
        context.forward(output, duplicate ? NodeNames.DUPLICATES : NodeNames.UNIQUE);
        if (decision instanceof Decision.Duplicate repeated) {
            metrics.duplicate(arrival, repeated, nowMillis);
        } else {
            metrics.unique(arrival, bounds, nowMillis);
        }
        return true;
    }

    private Record<Routed, byte[]> output(Arrival arrival, Decision decision, Set<Bound> bounds) {
        if (decision instanceof Decision.Duplicate duplicate) {
            return outputs.duplicate(arrival, duplicate);
        }
        if (decision instanceof Decision.Unique || decision instanceof Decision.Unjudged) {
            // What is not judged and not rejected is a tombstone.
            return outputs.unique(arrival, bounds);
        }
        throw new IllegalStateException("a decision: expected one that an output takes, found a "
                + decision.getClass().getSimpleName());
    }

    /**
     * Since the record was taken, its output's limits were lowered or its timestamp has become too old. Of a unique
     * document a duplicate may have left already.
     */
    private void leaveRefused(Arrival arrival, Decision decision, Rejection refused) {
        deadLetter(arrival, refused);
        if (decision instanceof Decision.Unique) {
            metrics.withdraw();
            InputRecord input = arrival.input();
            LOG.warn(
                    "a unique document leaves as a dead letter, as the output does not carry it any more; duplicates"
                            + " may name it; topic={} partition={} offset={} reason={}",
                    input.topic(),
                    input.partition(),
                    input.offset(),
                    refused.reason().code());
        }
    }

    private void deadLetter(Arrival arrival, Rejection rejection) {
        context.forward(outputs.deadLetter(arrival.input(), rejection, nowMillis()), NodeNames.DEAD_LETTER);
        metrics.deadLetter(rejection.reason());
    }

    private long nowMillis() {
        return context.currentSystemTimeMs();
    }

    /** The sum of {@link OutputLimits#bytesMax} of what was released since the start. */
    long releasedBytes() {
        return releasedBytes;
    }

    /** Ends a step of the home: sends what must leave with it, and what has nothing to wait for. */
    void endStep(long nowMillis) {
        toHomes.flush();
        toCheckers.flush();
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
