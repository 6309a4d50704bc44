package io.neardup.streams.metrics;

import java.util.stream.LongStream;

/** How often values lay between given bounds. Thread-safe. */
public final class HistogramCounts {
    private final double[] bounds;
    private final long[] counts;
    private double sum;

    /** @param bounds the highest value of each bucket, ascending; one more bucket takes what is above */
    HistogramCounts(double... bounds) {
        this.bounds = bounds.clone();
        this.counts = new long[bounds.length + 1];
    }

    /**
     * What was counted by a moment.
     *
     * @param bounds the highest value of each bucket but the last
     * @param counts of each bucket alone, the last of what is above all bounds
     */
    @SuppressWarnings("ArrayRecordComponent") // Made for one reader, and never compared.
    public record Snapshot(double[] bounds, long[] counts, double sum) {
        /** How many values there were. */
        public long total() {
            return LongStream.of(counts).sum();
        }
    }

    public synchronized Snapshot snapshot() {
        return new Snapshot(bounds.clone(), counts.clone(), sum);
    }

    /** Values that one thread notes until they count. */
    public Observations observations() {
        return new Observations(this);
    }

    private synchronized void add(long[] more, double moreSum) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += more[i];
        }
        sum += moreSum;
    }

    /** What one thread has noted, and not yet counted. */
    public static final class Observations {
        private final HistogramCounts of;
        private final long[] counts;
        private double sum;
        private boolean any;

        private Observations(HistogramCounts of) {
            this.of = of;
            this.counts = new long[of.counts.length];
        }

        public void note(double value) {
            note(value, 1);
        }

        /** Notes a value that came so often. */
        public void note(double value, long times) {
            int bucket = 0;
            while (bucket < of.bounds.length && value > of.bounds[bucket]) {
                bucket++;
            }
            counts[bucket] += times;
            sum += value * times;
            any = true;
        }

        /** Counts all that was noted, and begins anew. */
        public void count() {
            if (any) {
                of.add(counts, sum);
                java.util.Arrays.fill(counts, 0);
                sum = 0;
                any = false;
            }
        }
    }
}
