package io.neardup.faults;

import io.neardup.testing.Feeder;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.OwnThread;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Documents that come at a steady rate, whatever happens; where brokers were away, what is due comes at once. Only
 * where very many have not come out yet does it wait: on a busy machine a run then takes longer.
 */
final class SteadyFeed {
    private static final int BATCHES_A_SECOND = 10;

    /** Longer than any gap in the outputs that is to be expected. */
    private static final int BEHIND_MAX_SECONDS = 20;

    private final String servers;
    private final List<News> news;
    private final int documentsPerSecond;
    private final IntSupplier out;
    private final CompletableFuture<Void> feeding;
    private volatile int fed;
    private volatile long lastFedNanos = System.nanoTime();

    /**
     * Starts to feed.
     *
     * @param out how many have come out
     */
    SteadyFeed(String servers, List<News> news, int documentsPerSecond, IntSupplier out) {
        this.servers = servers;
        this.news = news;
        this.documentsPerSecond = documentsPerSecond;
        this.out = out;
        this.feeding = CompletableFuture.runAsync(this::feed, OwnThread.named("feed"));
    }

    private void feed() {
        int batch = documentsPerSecond / BATCHES_A_SECOND;
        long startNanos = System.nanoTime();
        try (Feeder feeder = new Feeder(servers, Service.DOCUMENTS, Service.PARTITIONS)) {
            while (fed < news.size()) {
                int end = Math.min(news.size(), fed + batch);
                feeder.feed(news.subList(fed, end));
                fed = end;
                lastFedNanos = System.nanoTime();
                long dueNanos = startNanos + TimeUnit.SECONDS.toNanos(1) * fed / documentsPerSecond;
                TimeUnit.NANOSECONDS.sleep(dueNanos - System.nanoTime());
                while (fed - out.getAsInt() > documentsPerSecond * BEHIND_MAX_SECONDS) {
                    TimeUnit.MILLISECONDS.sleep(10);
                }
            }
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** How many have arrived; fails if the feed has. */
    int fed() {
        if (feeding.isCompletedExceptionally()) {
            feeding.join();
        }
        return fed;
    }

    /** By {@link System#nanoTime}. */
    long lastFedNanos() {
        return lastFedNanos;
    }
}
