package org.apache.kafka.common.utils;

import io.neardup.service.lifecycle.SteadyClock;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Stands in for Kafka's class of this name, by which Kafka Streams, the clients and the embedded broker tell the time:
 * {@code Time.SYSTEM}. By Kafka's own, all of them wait until a clock that was set back has caught up: nothing is
 * committed, no heartbeat is sent, and nobody is told. The clients take no other time than this.
 *
 * <p>It is used where the service stands before Kafka on the class path, as it does where it is started by its jar.
 */
final class SystemTime implements Time, SteadyClock.Reader {
    private static final SystemTime SYSTEM_TIME = new SystemTime();

    private SystemTime() {}

    /** Called by {@link Time}. */
    public static SystemTime getSystemTime() {
        return SYSTEM_TIME;
    }

    @Override
    public long milliseconds() {
        return SteadyClock.SYSTEM.millis();
    }

    @Override
    public long nanoseconds() {
        return System.nanoTime();
    }

    @Override
    public void sleep(long millis) {
        Utils.sleep(millis);
    }

    @Override
    public void waitObject(Object lock, Supplier<Boolean> condition, long deadlineMillis) throws InterruptedException {
        synchronized (lock) {
            while (!condition.get()) {
                long leftMillis = deadlineMillis - milliseconds();
                if (leftMillis <= 0) {
                    throw new TimeoutException("expected a condition to hold in time, found that it does not");
                }
                lock.wait(leftMillis);
            }
        }
    }
}
