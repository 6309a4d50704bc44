package io.neardup.tools.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Does something if the process is told to stop (Ctrl-C) before this is removed. */
final class StopHook {
    /** For the last commit and the summary. */
    static final Duration SUMMARY_PATIENCE = Duration.ofSeconds(30);

    private final CountDownLatch removed = new CountDownLatch(1);
    private final Thread thread;

    /** @param patience how long the process waits afterwards for this to be removed, before it ends */
    StopHook(Runnable atStop, Duration patience) {
        this.thread = new Thread(
                () -> {
                    atStop.run();
                    awaitRemoved(patience);
                },
                "neardup-stop");
        Runtime.getRuntime().addShutdownHook(thread);
    }

    private void awaitRemoved(Duration patience) {
        try {
            removed.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void remove() {
        removed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException isStopping) {
            return;
        }
    }
}
