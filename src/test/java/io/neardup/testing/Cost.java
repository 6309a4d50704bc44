package io.neardup.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/** What a call cost its thread; hostile input may cost little time, and heap in proportion to its length. */
public record Cost(Duration processorTime, long heapBytes) {
    private static final Duration TIME_MAX = Duration.ofSeconds(1);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /**
     * Runs a call that must take less than a second and no more than so many bytes of the heap. One that takes more
     * gets a second try, as the first may have loaded classes; so it must be one that can be repeated.
     */
    public static void shouldBeBounded(long heapBytesMax, Runnable call) {
        Cost first = of(call);
        Cost cost = first.isWithin(heapBytesMax) ? first : of(call);
        if (!cost.isWithin(heapBytesMax)) {
            assertThat(cost.processorTime()).isLessThan(TIME_MAX);
            assertThat(cost.heapBytes()).isLessThanOrEqualTo(heapBytesMax);
        }
    }

    private static Cost of(Runnable call) {
        long allocatedBefore = THREADS.getCurrentThreadAllocatedBytes();
        long before = THREADS.getCurrentThreadCpuTime();
        call.run();
        long nanos = THREADS.getCurrentThreadCpuTime() - before;
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - allocatedBefore;
        return new Cost(Duration.ofNanos(nanos), allocated);
    }

    private boolean isWithin(long heapBytesMax) {
        return processorTime.compareTo(TIME_MAX) < 0 && heapBytes <= heapBytesMax;
    }
}
