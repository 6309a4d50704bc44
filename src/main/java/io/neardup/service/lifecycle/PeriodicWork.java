package io.neardup.service.lifecycle;

import io.neardup.service.cluster.FailureCause;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.KafkaThread;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What an instance does beside its tasks, again and again. What fails is logged, and tried again; not at the end of the
 * service, which may interrupt it. An error, as where memory is gone, is reported.
 */
final class PeriodicWork implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeriodicWork.class);

    static final String THREAD = "neardup-periodic";

    /** One for each work: none waits while the cluster does not answer another. */
    private static final int THREADS = 6;

    /** An answer is seldom slower. Kafka's clients take being interrupted for an error, and say so in the log. */
    static final Duration GRACE = Duration.ofSeconds(1);

    private final Duration grace;
    private final Consumer<Error> onError;
    private final ScheduledExecutorService threads =
            Executors.newScheduledThreadPool(THREADS, task -> KafkaThread.daemon(THREAD, task));

    /** @param grace how long the end waits for what is under way */
    PeriodicWork(Duration grace, Consumer<Error> onError) {
        this.grace = grace;
        this.onError = onError;
    }

    /** Something to be done. It may fail with whatever it meets, and be interrupted. */
    interface Work {
        void run() throws Exception;
    }

    /**
     * Runs the work after this delay, and again this long after each end.
     *
     * @param what it does, for the log
     */
    @SuppressWarnings("FutureReturnValueIgnored") // Nobody waits for the end.
    void every(long millis, String what, Work work) {
        AtomicReference<String> failure = new AtomicReference<>("");
        threads.scheduleWithFixedDelay(() -> run(work, what, failure), millis, millis, TimeUnit.MILLISECONDS);
    }

    /**
     * Runs it once. One that throws would be done no more.
     *
     * @param failure of the last time; empty where it went well. The same is reported once, as it may last
     */
    private void run(Work work, String what, AtomicReference<String> failure) {
        try {
            work.run();
            failure.set("");
        } catch (Exception e) {
            if (!threads.isShutdown()) {
                boolean isKnown = failure.getAndSet(e.toString()).equals(e.toString());
                LOG.atLevel(isKnown || FailureCause.isNoAnswer(e) ? Level.DEBUG : Level.WARN)
                        .log("could not {}, trying again; cause={}", what, e.toString());
            }
        } catch (Error e) {
            onError.accept(e);
        }
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
}
