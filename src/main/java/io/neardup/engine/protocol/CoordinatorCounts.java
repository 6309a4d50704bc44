package io.neardup.engine.protocol;

import java.util.Arrays;

/**
 * What a coordinator counted since its start, but of {@linkplain CandidateCounts candidates}.
 *
 * @param askedAgain pending documents that asked again, as no answer had come
 * @param requestsDropped requests to it, as too many waited for their turn
 * @param expired originals whose retention was over
 * @param forgotten originals that expired, had a tombstone, or were replaced or withdrawn
 */
public record CoordinatorCounts(long askedAgain, long requestsDropped, long expired, long forgotten) {

    /**
     * What a coordinator counted of candidates since its start.
     *
     * @param asked how many candidates each document that is decided asked about
     * @param compared with how many of them each of these was compared by its evidence
     * @param beyond likely matches that were not compared, as others of the same request came before them
     * @param unlike dropped by their sketches or bitmaps
     * @param verified compared with who asked, by their evidence
     * @param differences of the sketches of each candidate that documents asked about and the asker's
     * @param sketches of originals that are at hand now
     * @param sketchBytes heap that these and bitmaps take
     */
    public record CandidateCounts(
            Tally asked,
            Tally compared,
            long beyond,
            long unlike,
            long verified,
            Tally differences,
            int sketches,
            long sketchBytes) {

        /** How many candidates were asked about by documents that are decided. */
        public long askedTotal() {
            return asked.sum();
        }

        static CandidateCounts of(Decisions decisions, VerificationHandler handler, Originals originals) {
            return new CandidateCounts(
                    decisions.candidatesAsked(),
                    decisions.candidatesCompared(),
                    handler.beyond(),
                    handler.unlike(),
                    handler.verified(),
                    handler.sketchDifferences(),
                    originals.sketches().size(),
                    originals.sketches().bytes() + handler.bitmapBytes());
        }
    }

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

        /** The sum of all that was noted. */
        long sum() {
            long sum = 0;
            for (int number = 1; number < size; number++) {
                sum += number * times[number];
            }
            return sum;
        }
    }
}
