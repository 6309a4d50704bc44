package io.neardup.testing;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Tasks that block, each on a thread of its own that ends with it. */
public final class OwnThread {
    private OwnThread() {}

    /**
     * Starts a task.
     *
     * @return done when the task is, exceptionally if it fails
     */
    public static CompletableFuture<Void> run(String name, Runnable task) {
        Executor executor = started -> {
            Thread thread = new Thread(started, name);
            thread.setDaemon(true);
            thread.start();
        };
        return CompletableFuture.runAsync(task, executor);
    }
}
