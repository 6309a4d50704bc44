package io.neardup.streams.output;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who sends what it has gathered when a stream thread is about to commit: its tasks, which share the transaction.
 *
 * <p>Nobody sees a record before its commit, so what gathers until then loses no time, and leaves as few records. Kafka
 * Streams lets a task send what its caches hold, waits until the cluster has it all, and goes on with the next task. So
 * at the first of them all leave together: the thread waits once and not once for each task.
 */
public final class Departures {
    private static final ThreadLocal<Departures> OF_THREAD = ThreadLocal.withInitial(Departures::new);

    private final Set<Runnable> departures = ConcurrentHashMap.newKeySet();

    private Departures() {}

    /** Those of the calling thread. */
    public static Departures ofThread() {
        return OF_THREAD.get();
    }

    /**
     * Calls this too before each commit, from the next one on.
     *
     * @param departure called by this thread, maybe more than once for a commit
     */
    public void add(Runnable departure) {
        departures.add(departure);
    }

    /** To be called when the task closes: what it has gathered then never leaves. */
    public void remove(Runnable departure) {
        departures.remove(departure);
    }

    /** The thread is about to commit. */
    public void leave() {
        departures.forEach(Runnable::run);
    }
}
