package io.neardup.streams;

import io.neardup.protocol.BandIndex;
import io.neardup.protocol.Message.Candidates;
import io.neardup.wire.MessageBatch;
import io.neardup.wire.MessageCodec;
import java.time.Duration;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** A band partition: a batch of lookups in, a batch of answers out. */
final class BandProcessor implements Processor<byte[], byte[], Routed, byte[]> {
    private static final Duration METRICS_EVERY = Duration.ofSeconds(1);

    private final int candidatesMax;
    private MessageBatch answers = new MessageBatch();
    private int answersTo;
    // Made in init, which Streams calls before anything else.
    private ProcessorContext<Routed, byte[]> context;
    private BandIndex index;
    private BandMetrics metrics;
    private Chore measuring;

    @SuppressWarnings("NullAway.Init")
    BandProcessor(int candidatesMax) {
        this.candidatesMax = candidatesMax;
    }

    @Override
    public void init(ProcessorContext<Routed, byte[]> context) {
        this.context = context;
        BandStore store = context.getStateStore(NodeNames.BUCKETS);
        index = new BandIndex(context.taskId().partition(), candidatesMax, store);
        metrics = new BandMetrics(context.metrics(), context.taskId().toString());
        answers = new MessageBatch();
        measuring = new Chore(context, METRICS_EVERY, now -> metrics.handOver(store));
        measuring.request();
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        index.receive(MessageCodec.decodeToBands(record.value())).forEach(this::gather);
        flush();
        measuring.request();
    }

    /** A batch comes from one home: the answers go to that one. They can be much longer than what was asked. */
    private void gather(Candidates answer) {
        answersTo = answer.document().home();
        answers.add(answer);
        if (answers.isFull()) {
            flush();
        }
    }

    private void flush() {
        if (answers.messages() > 0) {
            Routed to = new Routed(answersTo, null);
            context.forward(new Record<>(to, answers.take(), context.currentSystemTimeMs()));
        }
    }

    @Override
    public void close() {
        measuring.cancel();
        metrics.close();
    }
}
