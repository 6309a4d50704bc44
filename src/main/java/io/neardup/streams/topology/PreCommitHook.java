package io.neardup.streams.topology;

import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.processor.internals.ProcessorNode;
import org.apache.kafka.streams.processor.internals.ProcessorRecordContext;

/**
 * Lets a processor forward, and write to its stores, while Kafka Streams calls neither it nor a punctuator: right
 * before a commit. As Streams' own caches do, it says whose node it is, and that there is no record.
 */
public final class PreCommitHook {
    private PreCommitHook() {}

    /**
     * Wraps an action of a processor. To be called while the processor is initialised.
     *
     * <p>A topic that the cluster does not describe in time ends the work of the thread, which starts again from what
     * is committed. In a step Streams sees to that itself.
     *
     * @param context that of the processor; one that is not Streams' own lets it forward anywhere
     */
    public static Runnable of(ProcessorContext<?, ?> context, Runnable action) {
        if (!(context instanceof InternalProcessorContext<?, ?> internal)) {
            return action;
        }
        ProcessorNode<?, ?, ?, ?> node = internal.currentNode();
        return () -> {
            ProcessorNode<?, ?, ?, ?> nodeBefore = internal.currentNode();
            ProcessorRecordContext recordBefore = internal.recordContext();
            internal.setCurrentNode(node);
            // A task that has done nothing since its start knows no time.
            long nowMillis = Math.max(0, internal.currentSystemTimeMs());
            internal.setRecordContext(new ProcessorRecordContext(nowMillis, -1, -1, null, new RecordHeaders()));
            try {
                action.run();
            } catch (TimeoutException e) {
                throw new TaskMigratedException("what a task had gathered could not be sent in time", e);
            } finally {
                internal.setRecordContext(recordBefore);
                internal.setCurrentNode(nodeBefore);
            }
        };
    }
}
