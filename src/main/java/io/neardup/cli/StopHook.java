package io.neardup.cli;

/** Does something if the process is told to stop (Ctrl-C) before this is removed. */
final class StopHook {
    private final Thread thread;

    StopHook(Runnable atStop) {
        this.thread = new Thread(atStop, "neardup-stop");
        Runtime.getRuntime().addShutdownHook(thread);
    }

    void remove() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException isStopping) {
            return;
        }
    }
}
