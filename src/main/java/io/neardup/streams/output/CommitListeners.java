package io.neardup.streams.output;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who is told when a transaction of a stream thread is committed: tasks that count what they did. What is aborted they
 * never hear of. Kafka Streams closes all tasks of the thread then, and what they had counted goes with them.
 */
public final class CommitListeners {
    private static final ThreadLocal<CommitListeners> OF_THREAD = ThreadLocal.withInitial(CommitListeners::new);

    private final Set<Runnable> listeners = ConcurrentHashMap.newKeySet();

    private CommitListeners() {}

    /** Those of the calling thread. */
    public static CommitListeners ofThread() {
        return OF_THREAD.get();
    }

    /**
     * Tells a listener too, from the next commit on.
     *
     * @param listener called by this thread; must not fail
     */
    public void add(Runnable listener) {
        listeners.add(listener);
    }

    public void remove(Runnable listener) {
        listeners.remove(listener);
    }

    /** A transaction of the thread is committed. */
    public void committed() {
        listeners.forEach(Runnable::run);
    }
}
