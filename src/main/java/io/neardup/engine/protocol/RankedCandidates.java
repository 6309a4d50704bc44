package io.neardup.engine.protocol;

import java.util.Arrays;

/** Candidates of a question, ranked, which are taken one after another. */
final class RankedCandidates {
    static final RankedCandidates NONE = new RankedCandidates(new long[0], new int[0]);

    private final long[] refs;
    private final int[] differences;
    private int next;

    /**
     * Of the arrays themselves.
     *
     * @param differences of their sketches
     */
    RankedCandidates(long[] refs, int[] differences) {
        this.refs = refs;
        this.differences = differences;
    }

    /** These, and behind them those of others that are left. */
    RankedCandidates followedBy(RankedCandidates others) {
        int left = others.left();
        if (left == 0) {
            return this;
        }
        long[] allRefs = Arrays.copyOf(refs, refs.length + left);
        int[] allDifferences = Arrays.copyOf(differences, refs.length + left);
        System.arraycopy(others.refs, others.next, allRefs, refs.length, left);
        System.arraycopy(others.differences, others.next, allDifferences, refs.length, left);
        return new RankedCandidates(allRefs, allDifferences);
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
