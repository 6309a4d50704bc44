package io.neardup.service.lifecycle;

import io.neardup.service.cluster.FailureCause;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What an instance does beside its tasks, again and again. What fails is logged, and tried again; not at the end of the
 * service, which may interrupt it.
 */
final class PeriodicWork implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeriodicWork.class);

    /** The name of its threads. */
    static final String THREAD = "neardup-periodic";

    /** A thread each: none waits while the cluster does not answer another. */
    private static final int THREADS = 4;

    /** An answer is seldom slower. Kafka's clients take being interrupted for an error, and say so in the log. */
    static final Duration GRACE = Duration.ofSeconds(1);

    private final Duration grace;
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, THREAD);
        thread.setDaemon(true);
        return thread;
    });

    /** @param grace how long the end waits for what is under way */
    PeriodicWork(Duration grace) {
        this.grace = grace;
    }

    /** Something to be done. It may fail with whatever it meets, and be interrupted. */
    interface Work {
        void run() throws Exception;
    }

    /**
     * Does something again so long after its last end.
     *
     * @param what it does, for the log
     */
    void every(long millis, String what, Work work) {
        every(millis, millis, what, work);
    }

    /** As {@link #every(long, String, Work)}, for the first time at once. */
    void nowAndEvery(long millis, String what, Work work) {
        every(0, millis, what, work);
    }

    // Nobody waits for the end.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void every(long firstMillis, long millis, String what, Work work) {
        threads.scheduleWithFixedDelay(new Recurring(what, work), firstMillis, millis, TimeUnit.MILLISECONDS);
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
        private final Work work;
        /** Of the last time; empty where it went well. */
        private String failure = "";

        Recurring(String what, Work work) {
            this.what = what;
            this.work = work;
        }

        /** One that throws would be done no more. */
        @Override
        public void run() {
            try {
                work.run();
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
            LOG.atLevel(isKnown || FailureCause.isNoAnswer(e) ? Level.DEBUG : Level.WARN)
                    .log("could not {}, trying again; cause={}", what, failure);
        }
    }
}
