package io.neardup.engine.protocol;

import java.util.Arrays;

/** How often each number was noted, of numbers from 0 to some thousands: 8 bytes for each up to the highest. */
public final class Tally {
    private long[] times = new long[16];
    private int size;

    /** @param number at least 0 */
    void note(int number) {
        if (number >= times.length) {
            times = Arrays.copyOf(times, Math.max(number + 1, 2 * times.length));
        }
        times[number]++;
        size = Math.max(size, number + 1);
    }

    /** The highest number that was noted, plus 1; 0 where there is none. */
    public int size() {
        return size;
    }

    /** How often a number below {@link #size()} was noted. */
    public long times(int number) {
        return times[number];
    }

    /** The sum of all that was noted. */
    long sum() {
        long sum = 0;
        for (int number = 1; number < size; number++) {
            sum += number * times[number];
        }
        return sum;
    }
}
