package io.neardup.streams;

import io.neardup.protocol.BandIndex;
import io.neardup.protocol.Message.Candidates;
import io.neardup.wire.MessageCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** A band partition: a batch of lookups in, a batch of answers out. */
final class BandProcessor implements Processor<byte[], byte[], Routed, byte[]> {
    private static final Duration METRICS_EVERY = Duration.ofSeconds(1);

    private static final int ANSWERS_BYTES_MAX = 256 * 1024;

    private final int candidatesMax;
    private final List<Candidates> answers = new ArrayList<>();
    private int answersBytes;
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
        BandStore store = context.getStateStore(DedupTopology.BUCKETS);
        index = new BandIndex(context.taskId().partition(), candidatesMax, store);
        metrics = new BandMetrics(context.metrics(), context.taskId().toString());
        answers.clear();
        answersBytes = 0;
        measuring = new Chore(context, METRICS_EVERY, now -> metrics.handOver(store));
        measuring.request();
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        index.receive(MessageCodec.decodeToBands(record.value())).forEach(this::gather);
        flush();
        measuring.request();
    }

    /** Answers can be much longer than the lookups: many batches go out where one record would not carry all. */
    private void gather(Candidates answer) {
        int bytes = MessageCodec.bytesMax(answer);
        if (answersBytes + bytes > ANSWERS_BYTES_MAX) {
            flush();
        }
        answers.add(answer);
        answersBytes += bytes;
    }

    private void flush() {
        if (answers.isEmpty()) {
            return;
        }
        // A batch comes from one home: the answers go to that one.
        int home = answers.get(0).document().home();
        byte[] value = MessageCodec.encode(answers);
        context.forward(new Record<>(new Routed(home, null), value, context.currentSystemTimeMs()));
        answers.clear();
        answersBytes = 0;
    }

    @Override
    public void close() {
        measuring.cancel();
        metrics.close();
    }
}
