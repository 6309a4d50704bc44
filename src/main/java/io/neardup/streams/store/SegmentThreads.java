package io.neardup.streams.store;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that write the segments of all index partitions of a process.
 *
 * @param flushing writes what was in memory, and so waits for no merge
 * @param merging writes one of several
 */
record SegmentThreads(Executor flushing, Executor merging) {
    private static final int IDLE_SECONDS = 10;

    /** One of each, which are there only while they have something to write. */
    static SegmentThreads ofProcess() {
        return new SegmentThreads(single("neardup-flush"), single("neardup-merge"));
    }

    private static Executor single(String name) {
        ThreadPoolExecutor single =
                new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    Thread thread = new Thread(work, name);
                    thread.setDaemon(true);
                    return thread;
                });
        single.allowCoreThreadTimeOut(true);
        return single;
    }
}
