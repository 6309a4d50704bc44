package io.neardup.tools.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Does something if the process is told to stop (Ctrl-C) before this is closed. */
final class StopHook implements AutoCloseable {
    /** For the last commit and the summary. */
    static final Duration SUMMARY_PATIENCE = Duration.ofSeconds(30);

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    /** @param patience how long the process waits afterwards for this to be closed, before it ends */
    StopHook(Runnable atStop, Duration patience) {
        this.thread = new Thread(
                () -> {
                    atStop.run();
                    awaitClosed(patience);
                },
                "neardup-stop");
        Runtime.getRuntime().addShutdownHook(thread);
    }

    private void awaitClosed(Duration patience) {
        try {
            closed.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException isStopping) {
            return;
        }
    }
}
