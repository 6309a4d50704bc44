package io.neardup.protocol;

import java.util.Arrays;
import java.util.function.LongPredicate;

/** Candidates of a question that may be matches by their sketches, in the order in which they were named. */
final class LikelyCandidates {
    /** One in so many of those kept is taken in the order in which they were named. */
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

    long ref(int i) {
        return refs[i];
    }

    void clear() {
        size = 0;
    }

    /** Moves those out that a test is true of. */
    void move(LongPredicate test, RefsBuilder to) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (test.test(refs[i])) {
                to.add(refs[i]);
            } else {
                refs[kept] = refs[i];
                differences[kept++] = differences[i];
            }
        }
        size = kept;
    }

    /**
     * Moves all but the best out: a share as they were named, as copies with the same sketch would take all places,
     * else the most alike.
     *
     * @param max how many stay
     */
    void moveAllBut(int max, RefsBuilder to) {
        if (size <= max) {
            return;
        }
        int named = max / NAMED_SHARE;
        long[] ranked = new long[size - named];
        for (int i = named; i < size; i++) {
            ranked[i - named] = (long) differences[i] << Integer.SIZE | i;
        }
        Arrays.sort(ranked);
        boolean[] isKept = new boolean[size];
        Arrays.fill(isKept, 0, named, true);
        for (int i = 0; i < max - named; i++) {
            isKept[(int) ranked[i]] = true;
        }
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (isKept[i]) {
                refs[kept] = refs[i];
                differences[kept++] = differences[i];
            } else {
                to.add(refs[i]);
            }
        }
        size = kept;
    }
}
