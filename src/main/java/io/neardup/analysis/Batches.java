package io.neardup.analysis;

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
    private final int size;
    private final Consumer<List<ComparedText>> work;
    private final ExecutorService worker = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "neardup-analysis");
        thread.setDaemon(true);
        return thread;
    });
    private List<ComparedText> filling = new ArrayList<>();
    private CompletableFuture<Void> working = CompletableFuture.completedFuture(null);

    Batches(int size, Consumer<List<ComparedText>> work) {
        this.size = size;
        this.work = work;
    }

    void add(ComparedText document) {
        filling.add(document);
        if (filling.size() == size) {
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
        filling = new ArrayList<>(size);
        working = CompletableFuture.runAsync(() -> work.accept(batch), worker);
    }

    private void await() {
        try {
            working.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        worker.shutdownNow();
    }
}
