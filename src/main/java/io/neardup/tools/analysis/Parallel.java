package io.neardup.tools.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/** Does the same with each of a list, two at a time, however many processors there are: each holds an index. */
final class Parallel {
    private static final int THREADS = 2;

    private Parallel() {}

    /** The results, in the order of the list. What one throws is thrown. */
    static <T, R> List<R> map(List<T> all, Function<T, R> function) {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS, Parallel::thread);
        try {
            List<Future<R>> running = new ArrayList<>();
            all.forEach(one -> running.add(threads.submit(() -> function.apply(one))));
            List<R> results = new ArrayList<>();
            for (Future<R> result : running) {
                results.add(result.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw thrown(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CompletionException(e);
        } finally {
            threads.shutdownNow();
        }
    }

    /** What the work of another thread threw, if that is unchecked. */
    static RuntimeException thrown(Exception e) {
        if (e.getCause() instanceof Error error) {
            throw error;
        }
        return e.getCause() instanceof RuntimeException unchecked ? unchecked : new CompletionException(e);
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "neardup-analysis");
        thread.setDaemon(true);
        return thread;
    }
}
