package io.neardup.text;

/**
 * Leaves out of each text the shingles that do not count ({@link CommonShingles}). A text of which fewer than
 * {@link CommonShingles#LEFT_MIN} distinct shingles would be left is kept whole: so few say little about it.
 */
final class FilteringShingler implements Shingler {
    private final Shingler whole;
    private final CommonTable common;
    private final long[] seen = new long[CommonShingles.LEFT_MIN];
    private long[] suspects = new long[1024];

    /** @param common the hashes that this shingler gives the common shingles */
    FilteringShingler(Shingler whole, CommonTable common) {
        this.whole = whole;
        this.common = common;
    }

    @Override
    public void shingle(String canonical, Shingles into) {
        whole.shingle(canonical, into);
        if (!filter(into)) {
            whole.shingle(canonical, into);
            into.keepWhole();
        }
    }

    @Override
    public void shingle(byte[] canonical, int length, Shingles into) {
        whole.shingle(canonical, length, into);
        if (!filter(into)) {
            whole.shingle(canonical, length, into);
            into.keepWhole();
        }
    }

    @Override
    public String name() {
        return whole.name();
    }

    /** Returns false where too few are left. */
    private boolean filter(Shingles shingles) {
        int n = shingles.size();
        if (suspects.length <= n) {
            suspects = new long[n + (n >> 1) + 1];
        }
        int left = common.leaveOut(shingles.array(), n, suspects);
        if (left == n) {
            return true;
        }
        shingles.leaveOut(n - left);
        return areEnough(shingles);
    }

    /** Looks only until it has seen enough; most texts have them at their start. */
    private boolean areEnough(Shingles shingles) {
        long[] hashes = shingles.array();
        int distinct = 0;
        for (int i = 0; i < shingles.size() && distinct < CommonShingles.LEFT_MIN; i++) {
            distinct = withSeen(hashes[i], distinct);
        }
        return distinct == CommonShingles.LEFT_MIN;
    }

    /** The number of distinct hashes seen, this one among them. */
    private int withSeen(long hash, int distinct) {
        for (int i = 0; i < distinct; i++) {
            if (seen[i] == hash) {
                return distinct;
            }
        }
        seen[distinct] = hash;
        return distinct + 1;
    }
}
