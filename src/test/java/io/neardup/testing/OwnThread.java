package io.neardup.testing;

import java.util.concurrent.Executor;

/** Gives each task a thread of its own that ends with it: for tasks that block. */
public final class OwnThread {
    private OwnThread() {}

    /** An executor of daemon threads with this name. */
    public static Executor named(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            thread.start();
        };
    }
}
