package io.neardup.streams.topology;

import io.neardup.config.Limits;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.protocol.BandIndex;
import io.neardup.engine.protocol.Message;
import io.neardup.engine.protocol.Message.Candidates;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.streams.metrics.TaskCounts;
import io.neardup.streams.store.BandStore;
import io.neardup.streams.store.CommitListeners;
import io.neardup.streams.store.MessageCodec;
import io.neardup.streams.store.NodeNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * An index partition: lookups in, answers out. Answers gather as the
 * {@linkplain CoordinatorPublisher messages of coordinators} do, and so do the changes of the buckets.
 */
final class BandProcessor implements Processor<byte[], byte[], Routed, byte[]> {
    /** How often the disk is looked after behind a commit, as long as something is on its way there. */
    private static final Duration WHILE_SAVING = Duration.ofSeconds(1);

    /**
     * How often idle tasks look at their disk state: after some hours memory is flushed, and what is on disk is dated
     * anew.
     */
    static final Duration AT_REST = Duration.ofMinutes(10);

    private final ServiceCounts serviceCounts;
    // Made in init, which Streams calls before anything else.
    private BandStore store;
    private BandIndex index;
    private CommitBatcher<Message> candidates;
    private CommitBatcher<Message> checks;
    private TaskCounts counts;
    private ScheduledWork saving;
    private final List<Runnable> stops = new ArrayList<>();
    private boolean isCommitted;

    @SuppressWarnings("NullAway.Init")
    BandProcessor(ServiceCounts serviceCounts) {
        this.serviceCounts = serviceCounts;
    }

    @Override
    public void init(ProcessorContext<Routed, byte[]> context) {
        store = context.getStateStore(NodeNames.BUCKETS);
        int partition = context.taskId().partition();
        index = new BandIndex(partition, Limits.CANDIDATES_RETURNED_MAX, store);
        counts = serviceCounts.ofTask();
        candidates = new CommitBatcher<>(context, NodeNames.ANSWERS, MessageCodec::batch);
        checks = new CommitBatcher<>(context, NodeNames.CHECKS_OF_BANDS, MessageCodec::batch);
        stops.add(CommitListeners.after().add(() -> {
            count(String.valueOf(partition));
            isCommitted = true;
        }));
        saving = new ScheduledWork(context, WHILE_SAVING, now -> save());
        saving.request();
        stops.add(saving::cancel);
        stops.add(context.schedule(AT_REST, PunctuationType.WALL_CLOCK_TIME, now -> save())::cancel);
        stops.add(CommitListeners.beforeEach(context, () -> {
            candidates.sendAll();
            checks.sendAll();
            store.writeChanges();
        }));
        // Restored state is committed. Last in init: from here on its gauges are exported, until close().
        count(String.valueOf(partition));
    }

    private void save() {
        if (store.saveMore()) {
            saving.request();
        }
    }

    private void count(String partition) {
        BandTable buckets = store.buckets();
        counts.total(ServiceMetric.BUCKETS_FULL, buckets.refusals());
        counts.total(ServiceMetric.CANDIDATES_DROPPED, store.candidatesDropped(), "band");
        counts.gauge(ServiceMetric.INDEX_DOCUMENTS, buckets.documents(), partition);
        counts.gauge(ServiceMetric.INDEX_BYTES, buckets.bytes(), partition);
        counts.gauge(ServiceMetric.INDEX_HOT_BYTES, buckets.onDisk().hotBytes(), partition);
        counts.gauge(ServiceMetric.INDEX_COLD_BYTES, buckets.onDisk().coldBytes(), partition);
        counts.gauge(ServiceMetric.INDEX_SEGMENTS, buckets.onDisk().segments(), partition);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        if (isCommitted) {
            // Not in the commit, where it must not fail: nothing has changed since.
            isCommitted = false;
            store.saveMore();
            saving.request();
        }
        index.receive(MessageCodec.decodeToIndex(record.value())).forEach(this::gather);
    }

    private void gather(Candidates answer) {
        if (answer.document().isCheck()) {
            checks.add(0, answer);
        } else {
            candidates.add(answer.document().coordinator(), answer);
        }
    }

    @Override
    public void close() {
        stops.forEach(Runnable::run);
        stops.clear();
        counts.close();
    }
}
