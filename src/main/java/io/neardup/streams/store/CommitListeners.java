package io.neardup.streams.store;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.processor.internals.ProcessorNode;
import org.apache.kafka.streams.processor.internals.ProcessorRecordContext;

/**
 * What runs at the commits of a stream thread, for its tasks, which share the transaction.
 *
 * <p>Before a commit they send what they have gathered. Nobody sees a record before its commit, so what gathers until
 * then loses no time, and makes few records. Kafka Streams flushes the caches of one task, waits until the cluster has
 * all, and goes on with the next. So the first flush runs the listeners of all tasks of the thread: it waits once, not
 * once a task.
 *
 * <p>After a commit they count what they did. An abort is not reported to them. Kafka Streams closes all tasks of the
 * thread then, and what they had gathered and counted goes with them.
 */
public final class CommitListeners {
    private static final ThreadLocal<CommitListeners> BEFORE = ThreadLocal.withInitial(CommitListeners::new);
    private static final ThreadLocal<CommitListeners> AFTER = ThreadLocal.withInitial(CommitListeners::new);

    private final Set<Runnable> listeners = ConcurrentHashMap.newKeySet();

    private CommitListeners() {}

    /** Those of the calling thread that run before a commit, maybe more than once; they may fail. */
    public static CommitListeners before() {
        return BEFORE.get();
    }

    /** Those of the calling thread that run when a transaction is committed; they must not fail. */
    public static CommitListeners after() {
        return AFTER.get();
    }

    /**
     * Runs an action of a processor before each commit of the calling thread. It may forward, and write to the stores,
     * though Kafka Streams calls neither the processor nor a punctuator then: as Streams' own caches do, it says whose
     * node it is, and that there is no record. To be called while the processor is initialised.
     *
     * <p>A topic that the cluster does not describe in time ends the work of the thread, which starts again from what
     * is committed. In a step Streams sees to that itself.
     *
     * @param context that of the processor; one that is not Streams' own lets it forward anywhere
     * @return as that of {@link #add}
     */
    public static Runnable beforeEach(ProcessorContext<?, ?> context, Runnable action) {
        if (!(context instanceof InternalProcessorContext<?, ?> internal)) {
            return before().add(action);
        }
        ProcessorNode<?, ?, ?, ?> node = internal.currentNode();
        return before().add(() -> {
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
        });
    }

    /**
     * Runs a listener too, from the next commit on.
     *
     * @param listener called by this thread
     * @return takes it off again, in whichever thread. To be called when the task closes or becomes a standby, at the
     *     latest: what it has gathered then never leaves
     */
    public Runnable add(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** The thread is about to commit, or has committed. */
    public void fire() {
        listeners.forEach(Runnable::run);
    }
}
