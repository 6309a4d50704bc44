package io.neardup.service.lifecycle;

import io.neardup.service.cluster.AbandonedTransactions;
import io.neardup.service.cluster.BrokerAbilities;
import io.neardup.service.cluster.InternalTopicPurge;
import io.neardup.service.cluster.NoAnswer;
import io.neardup.streams.store.TopicNames;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What an instance does beside its tasks, again and again. What fails is told, and tried again; not at the end of the
 * service, which may interrupt it.
 */
final class Chores implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Chores.class);

    /** A thread each: none waits while the cluster does not answer another. */
    private static final int THREADS = 4;

    private static final long PURGE_MILLIS = 60_000;
    private static final long ABANDONED_MILLIS = 500;

    /** An answer is seldom slower. Kafka's clients take being interrupted for an error, and say so in the log. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final Duration grace;
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "neardup-chores");
        thread.setDaemon(true);
        return thread;
    });

    Chores() {
        this(GRACE);
    }

    /** @param grace how long the end waits for what is under way */
    Chores(Duration grace) {
        this.grace = grace;
    }

    /** Something to be done. It may fail with whatever it meets, and be interrupted. */
    interface Errand {
        void run() throws Exception;
    }

    /**
     * Tidies up after all instances.
     *
     * @param isSeeded whether all documents of seeds are released
     */
    void tidyUp(Admin admin, String applicationId, BrokerAbilities brokers, BooleanSupplier isSeeded) {
        TopicNames names = new TopicNames(applicationId);
        every(PURGE_MILLIS, "purge the internal topics", new InternalTopicPurge(admin, names, isSeeded)::purge);
        if (brokers.listTransactionsByAge()) {
            AbandonedTransactions abandoned = new AbandonedTransactions(admin, applicationId);
            every(ABANDONED_MILLIS, "look for transactions of instances that are gone", abandoned::look);
        }
    }

    /**
     * Does something again so long after its last end.
     *
     * @param what it does, for the log
     */
    // Nobody waits for the end.
    @SuppressWarnings("FutureReturnValueIgnored")
    void every(long millis, String what, Errand errand) {
        threads.scheduleWithFixedDelay(new Recurring(what, errand), millis, millis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        threads.shutdown();
        try {
            if (threads.awaitTermination(grace.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.shutdownNow();
    }

    private final class Recurring implements Runnable {
        private final String what;
        private final Errand errand;
        /** Of the last time; empty where it went well. */
        private String failure = "";

        Recurring(String what, Errand errand) {
            this.what = what;
            this.errand = errand;
        }

        /** One that throws would be done no more. */
        @Override
        public void run() {
            try {
                errand.run();
                failure = "";
            } catch (Exception e) {
                if (!threads.isShutdown()) {
                    report(e);
                }
            }
        }

        /** The same failure once, as it may last. */
        private void report(Exception e) {
            boolean isKnown = e.toString().equals(failure);
            failure = e.toString();
            LOG.atLevel(isKnown || NoAnswer.is(e) ? Level.DEBUG : Level.WARN)
                    .log("could not {}, trying again; cause={}", what, failure);
        }
    }
}
