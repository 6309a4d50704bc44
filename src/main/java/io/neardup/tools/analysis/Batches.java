package io.neardup.tools.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * Hands documents in batches to another thread, so that one thread reads while the other works. One batch is worked on,
 * and one fills up; then the reader waits. To be used by one thread.
 */
final class Batches implements AutoCloseable {
    private static final int DOCUMENTS_MAX = 1_024;
    private static final long BYTES_MAX = 1 << 24;

    private final Consumer<List<ComparedText>> work;
    private final ExecutorService worker = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "neardup-analysis");
        thread.setDaemon(true);
        return thread;
    });
    private List<ComparedText> filling = new ArrayList<>();
    private long fillingBytes;
    private CompletableFuture<Void> working = CompletableFuture.completedFuture(null);

    Batches(Consumer<List<ComparedText>> work) {
        this.work = work;
    }

    void add(ComparedText document) {
        filling.add(document);
        fillingBytes += document.heldBytes();
        if (filling.size() == DOCUMENTS_MAX || fillingBytes >= BYTES_MAX) {
            handOver();
        }
    }

    /** Waits until all is done, and throws what the work threw. */
    void finish() {
        handOver();
        await();
    }

    private void handOver() {
        await();
        List<ComparedText> batch = filling;
        filling = new ArrayList<>();
        fillingBytes = 0;
        working = CompletableFuture.runAsync(() -> work.accept(batch), worker);
    }

    private void await() {
        try {
            working.join();
        } catch (CompletionException e) {
            throw Parallel.thrown(e);
        }
    }

    @Override
    public void close() {
        worker.shutdownNow();
    }
}
