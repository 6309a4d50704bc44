package io.neardup.engine.protocol;

import java.util.Arrays;

/** Candidates of a request that may be matches by their sketches, in the order in which they were returned. */
final class LikelyCandidates {
    /** One in so many is taken in the order in which they were returned. */
    private static final int RETURNED_SHARE = 4;

    private long[] refs = new long[0];
    private int[] differences = new int[0];
    private int size;

    void add(long ref, int ofSketch) {
        if (size == refs.length) {
            int capacity = Math.max(8, 2 * size);
            refs = Arrays.copyOf(refs, capacity);
            differences = Arrays.copyOf(differences, capacity);
        }
        refs[size] = ref;
        differences[size++] = ofSketch;
    }

    int size() {
        return size;
    }

    boolean has(long ref) {
        for (int i = 0; i < size; i++) {
            if (refs[i] == ref) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes all, ranked: every fourth is the next as they were returned, as copies with the same sketch would come
     * before all others; between them come the most alike of the rest.
     */
    Ranked takeRanked() {
        long[] alike = mostAlikeFirst();
        boolean[] isTaken = new boolean[size];
        long[] ranked = new long[size];
        int[] rankedDifferences = new int[size];
        int returned = 0;
        int next = 0;
        for (int place = 0; place < size; place++) {
            while (isTaken[returned]) {
                returned++;
            }
            while (isTaken[(int) alike[next]]) {
                next++;
            }
            int best = place % RETURNED_SHARE == 0 ? returned : (int) alike[next];
            isTaken[best] = true;
            ranked[place] = refs[best];
            rankedDifferences[place] = differences[best];
        }
        size = 0;
        return new Ranked(ranked, rankedDifferences);
    }

    /** Places in the order of differences, of equal ones as they were returned: each in the lower half of a long. */
    private long[] mostAlikeFirst() {
        long[] places = new long[size];
        for (int i = 0; i < size; i++) {
            places[i] = (long) differences[i] << Integer.SIZE | i;
        }
        Arrays.sort(places);
        return places;
    }

    /** Candidates of a request, ranked, which are taken one after another. */
    static final class Ranked {
        static final Ranked NONE = new Ranked(new long[0], new int[0]);

        private final long[] refs;
        private final int[] differences;
        private int next;

        /**
         * Of the arrays themselves.
         *
         * @param differences of their sketches
         */
        Ranked(long[] refs, int[] differences) {
            this.refs = refs;
            this.differences = differences;
        }

        /** These, and behind them those of others that are left. */
        Ranked followedBy(Ranked others) {
            int left = others.left();
            if (left == 0) {
                return this;
            }
            long[] allRefs = Arrays.copyOf(refs, refs.length + left);
            int[] allDifferences = Arrays.copyOf(differences, refs.length + left);
            System.arraycopy(others.refs, others.next, allRefs, refs.length, left);
            System.arraycopy(others.differences, others.next, allDifferences, refs.length, left);
            return new Ranked(allRefs, allDifferences);
        }

        /** How many are left. */
        int left() {
            return refs.length - next;
        }

        /** The next, which is then done with; there must be one. */
        long take() {
            return refs[next++];
        }

        /** On how many values the sketch of the one taken last differs from that of who asks. */
        int differences() {
            return differences[next - 1];
        }

        /** Whether one is left. */
        boolean has(long ref) {
            for (int i = next; i < refs.length; i++) {
                if (refs[i] == ref) {
                    return true;
                }
            }
            return false;
        }

        /** All of them, also those that are done with. */
        DocumentRefs refs() {
            return DocumentRefs.owning(refs);
        }
    }
}
