package io.neardup.streams;

import io.neardup.metrics.ServiceCounts;
import io.neardup.protocol.BandIndex;
import io.neardup.protocol.Message.Candidates;
import io.neardup.protocol.Message.CheckCandidates;
import io.neardup.protocol.Message.FromBands;
import io.neardup.streams.output.CommitListeners;
import io.neardup.wire.MessageBatch;
import io.neardup.wire.MessageCodec;
import java.time.Duration;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** A band partition: a batch of lookups in, a batch of answers out. */
final class BandProcessor implements Processor<byte[], byte[], Routed, byte[]> {
    /** How often a snapshot goes on where nothing is committed. */
    private static final Duration AT_REST = Duration.ofSeconds(1);

    private final int candidatesMax;
    private final ServiceCounts counts;
    private final MessageBatch checks = new MessageBatch();
    private MessageBatch answers = new MessageBatch();
    private int answersTo;
    // Made in init, which Streams calls before anything else.
    private ProcessorContext<Routed, byte[]> context;
    private BandIndex index;
    private BandMetrics metrics;
    private CommitListeners commits;
    private Runnable handingOver;
    private Runnable saving;
    private Cancellable savingAtRest;

    @SuppressWarnings("NullAway.Init")
    BandProcessor(int candidatesMax, ServiceCounts counts) {
        this.candidatesMax = candidatesMax;
        this.counts = counts;
    }

    @Override
    public void init(ProcessorContext<Routed, byte[]> context) {
        this.context = context;
        BandStore store = context.getStateStore(NodeNames.BUCKETS);
        int partition = context.taskId().partition();
        index = new BandIndex(partition, candidatesMax, store);
        metrics = new BandMetrics(context.metrics(), context.taskId().toString(), partition, counts);
        answers = new MessageBatch();
        handingOver = () -> metrics.handOver(store);
        // What was restored is committed.
        handingOver.run();
        commits = CommitListeners.ofThread();
        commits.add(handingOver);
        saving = store::saveMore;
        commits.add(saving);
        savingAtRest = context.schedule(AT_REST, PunctuationType.WALL_CLOCK_TIME, now -> store.saveMore());
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        index.receive(MessageCodec.decodeToBands(record.value())).forEach(this::gather);
        flush();
    }

    /** A batch comes from one home: the answers go to that one. They can be much longer than what was asked. */
    private void gather(FromBands answer) {
        if (answer instanceof CheckCandidates check) {
            checks.add(check);
            forward(0, checks, NodeNames.CHECKS_OF_BANDS);
        } else if (answer instanceof Candidates candidates) {
            answersTo = candidates.document().home();
            answers.add(candidates);
            if (answers.isFull()) {
                flush();
            }
        }
    }

    private void flush() {
        if (answers.messages() > 0) {
            forward(answersTo, answers, NodeNames.ANSWERS);
        }
    }

    private void forward(int partition, MessageBatch batch, String sink) {
        Routed to = new Routed(partition, null);
        context.forward(new Record<>(to, batch.take(), context.currentSystemTimeMs()), sink);
    }

    @Override
    public void close() {
        commits.remove(handingOver);
        commits.remove(saving);
        savingAtRest.cancel();
        metrics.close();
    }
}
