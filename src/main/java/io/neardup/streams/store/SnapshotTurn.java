package io.neardup.streams.store;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * What the band tables of a process write their {@link RunningSnapshot} with: one table at a time, by one thread, which
 * is there only while it has to write.
 */
public final class SnapshotTurn {
    private static final int IDLE_SECONDS = 10;

    private final Semaphore turn = new Semaphore(1);
    private final ExecutorService writer;

    public SnapshotTurn() {
        ThreadPoolExecutor single = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), SnapshotTurn::thread);
        single.allowCoreThreadTimeOut(true);
        writer = single;
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "neardup-snapshots");
        thread.setDaemon(true);
        return thread;
    }

    boolean take() {
        return turn.tryAcquire();
    }

    void give() {
        turn.release();
    }

    ExecutorService writer() {
        return writer;
    }
}
