package io.neardup.app;

import io.neardup.streams.TopicNames;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;

/** What an instance does beside its tasks, again and again. */
final class Chores implements AutoCloseable {
    /** A thread each: none waits while the cluster does not answer another. */
    private static final int THREADS = 4;

    private static final long PURGE_MILLIS = 60_000;
    private static final long ABANDONED_MILLIS = 500;

    private final Admin admin;
    private final String applicationId;
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "neardup-chores");
        thread.setDaemon(true);
        return thread;
    });

    Chores(Admin admin, String applicationId) {
        this.admin = admin;
        this.applicationId = applicationId;
    }

    /**
     * Tidies up after all instances.
     *
     * @param isSeeded whether all documents of seeds are released
     */
    void tidyUp(BrokerAbilities brokers, BooleanSupplier isSeeded) {
        every(PURGE_MILLIS, new InternalTopicPurge(admin, new TopicNames(applicationId), isSeeded));
        if (brokers.listTransactionsByAge()) {
            every(ABANDONED_MILLIS, new AbandonedTransactions(admin, applicationId));
        }
    }

    /**
     * Does something again so long after its last end.
     *
     * @param chore reports its failures itself: one that throws is done no more
     */
    // Nobody waits for the end.
    @SuppressWarnings("FutureReturnValueIgnored")
    void every(long millis, Runnable chore) {
        threads.scheduleWithFixedDelay(chore, millis, millis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
