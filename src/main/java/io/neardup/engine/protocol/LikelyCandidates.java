package io.neardup.engine.protocol;

import java.util.Arrays;

/** Candidates of a question that may be matches by their sketches, in the order in which they were named. */
final class LikelyCandidates {
    /** One in so many is taken in the order in which they were named. */
    private static final int NAMED_SHARE = 4;

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
     * Takes all, ranked: every fourth is the next as they were named, as copies with the same sketch would come before
     * all others; between them come the most alike of the rest.
     */
    RankedCandidates takeRanked() {
        long[] alike = mostAlikeFirst();
        boolean[] isTaken = new boolean[size];
        long[] ranked = new long[size];
        int[] rankedDifferences = new int[size];
        int named = 0;
        int next = 0;
        for (int place = 0; place < size; place++) {
            while (isTaken[named]) {
                named++;
            }
            while (isTaken[(int) alike[next]]) {
                next++;
            }
            int best = place % NAMED_SHARE == 0 ? named : (int) alike[next];
            isTaken[best] = true;
            ranked[place] = refs[best];
            rankedDifferences[place] = differences[best];
        }
        size = 0;
        return new RankedCandidates(ranked, rankedDifferences);
    }

    /** Places in the order of differences, of equal ones as they were named: each in the lower half of a long. */
    private long[] mostAlikeFirst() {
        long[] places = new long[size];
        for (int i = 0; i < size; i++) {
            places[i] = (long) differences[i] << Integer.SIZE | i;
        }
        Arrays.sort(places);
        return places;
    }
}
