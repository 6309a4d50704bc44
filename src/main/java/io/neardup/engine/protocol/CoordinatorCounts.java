package io.neardup.engine.protocol;

import java.util.Arrays;

/**
 * The counts of a coordinator since its start.
 *
 * @param askedAgain pending documents that repeated requests, as no answer had come
 * @param requestsDropped requests to it that were dropped, as too many were queued, or waited for documents to arrive
 *     again
 * @param expired originals whose retention was over
 * @param forgotten originals that were removed: they expired, had a tombstone, or were replaced or withdrawn
 * @param asked for each decided document, the candidates that it asked about
 * @param compared for each decided document, the candidates that it was compared with by its evidence
 * @param notCompared likely candidates that were not compared, as others of the same request came before them
 * @param ruledOut candidates ruled out by their sketches or bitmaps, and not compared as the nearest below either
 * @param differences for each candidate that a document asked about, between its sketch and the asker's
 * @param sketches of originals and pending documents in the heap now
 * @param sketchBytes heap that these and bitmaps take
 */
public record CoordinatorCounts(
        long askedAgain,
        long requestsDropped,
        long expired,
        long forgotten,
        Tally asked,
        Tally compared,
        long notCompared,
        long ruledOut,
        Tally differences,
        int sketches,
        long sketchBytes) {

    /** How often each number was noted, of numbers from 0 to some thousands: 8 bytes for each up to the highest. */
    public static final class Tally {
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
    }
}
