package io.neardup.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/** What hostile input may cost: processor time, and room on the heap in proportion to its length. */
public final class Cost {
    private static final Duration TIME_MAX = Duration.ofSeconds(1);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Cost() {}

    /**
     * Runs a call that must take less than a second and no more than so many bytes of the heap. One that takes more gets a
     * second try, as the first may have loaded classes; so it must be one that can be repeated.
     */
    public static void shouldBeBounded(long heapBytesMax, Runnable call) {
        if (!isBounded(heapBytesMax, call)) {
            long allocatedBefore = THREADS.getCurrentThreadAllocatedBytes();
            long before = THREADS.getCurrentThreadCpuTime();
            call.run();
            assertThat(Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - before))
                    .describedAs("processor time")
                    .isLessThan(TIME_MAX);
            assertThat(THREADS.getCurrentThreadAllocatedBytes() - allocatedBefore)
                    .describedAs("bytes taken on the heap")
                    .isLessThanOrEqualTo(heapBytesMax);
        }
    }

    private static boolean isBounded(long heapBytesMax, Runnable call) {
        long allocatedBefore = THREADS.getCurrentThreadAllocatedBytes();
        long before = THREADS.getCurrentThreadCpuTime();
        call.run();
        return THREADS.getCurrentThreadCpuTime() - before < TIME_MAX.toNanos()
                && THREADS.getCurrentThreadAllocatedBytes() - allocatedBefore <= heapBytesMax;
    }
}
