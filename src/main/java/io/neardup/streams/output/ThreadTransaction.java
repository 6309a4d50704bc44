package io.neardup.streams.output;

import java.util.Optional;

/**
 * A transaction of a stream thread: all that its tasks write between two commits. Each thread has at most one at a
 * time. Others may ask how it ended.
 */
public final class ThreadTransaction {
    private static final ThreadLocal<ThreadTransaction> OF_THREAD = new ThreadLocal<>();

    private volatile boolean committed;

    private ThreadTransaction() {}

    /** Begins one for the calling thread. */
    static ThreadTransaction begin() {
        ThreadTransaction begun = new ThreadTransaction();
        OF_THREAD.set(begun);
        return begun;
    }

    /** The one that the calling thread began last; none where no {@link GuardedProducer} did. */
    public static Optional<ThreadTransaction> last() {
        return Optional.ofNullable(OF_THREAD.get());
    }

    /** One that never ends well: what is held against it counts as not committed. */
    public static ThreadTransaction neverCommitted() {
        return new ThreadTransaction();
    }

    void markCommitted() {
        committed = true;
    }

    /** Whether it is known to be committed: not while it is open, and never where it was aborted. */
    public boolean isCommitted() {
        return committed;
    }
}
