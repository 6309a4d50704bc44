package io.neardup.streams.store;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What runs at the commits of a stream thread, for its tasks, which share the transaction.
 *
 * <p>Before a commit they send what they have gathered. Nobody sees a record before its commit, so what gathers until
 * then loses no time, and leaves as few records. Kafka Streams lets a task send what its caches hold, waits until the
 * cluster has it all, and goes on with the next task. So at the first of them all leave together: the thread waits once
 * and not once for each task.
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
     * Runs a listener too, from the next commit on.
     *
     * @param listener called by this thread
     * @return takes it off again, in whichever thread. To be called when the task closes, at the latest: what it has
     *     gathered then never leaves
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
