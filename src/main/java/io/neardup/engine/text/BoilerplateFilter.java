package io.neardup.engine.text;

/**
 * Finds boilerplate among the shingles of texts ({@link BoilerplateShingles}), and excludes them. For one thread.
 */
public final class BoilerplateFilter {
    private final BoilerplateTable boilerplate;
    private final long[] seen = new long[BoilerplateShingles.LEFT_MIN];
    private int[] places = new int[1024];

    /** @param boilerplate their hashes, under the seed of the texts' shingles */
    BoilerplateFilter(BoilerplateTable boilerplate) {
        this.boilerplate = boilerplate;
    }

    /** Finds boilerplate among the hashes from one place up to another; returns how many there are. */
    public int find(long[] hashes, int from, int to) {
        if (places.length <= to - from) {
            places = new int[to - from + (to - from) / 2 + 1];
        }
        return boilerplate.find(hashes, from, to, places);
    }

    /** The places of those found last, in order: an array that is longer than they are many, until the next search. */
    public int[] places() {
        return places;
    }

    /**
     * Excludes boilerplate from a text's shingles; the others do not keep their order. A text of which fewer than
     * {@link BoilerplateShingles#LEFT_MIN} distinct ones would be left is kept whole.
     */
    public void exclude(Shingles shingles) {
        int n = shingles.size();
        int found = find(shingles.array(), 0, n);
        if (found == 0) {
            return;
        }
        moveFoundBehind(shingles.array(), n, found);
        if (areEnough(shingles.array(), n - found)) {
            shingles.exclude(found);
        }
    }

    /** Moves the hashes found last, so many of the first n, behind the others. */
    public void moveFoundBehind(long[] hashes, int n, int found) {
        int left = n;
        for (int i = found - 1; i >= 0; i--) {
            left--;
            long boilerplate = hashes[places[i]];
            hashes[places[i]] = hashes[left];
            hashes[left] = boilerplate;
        }
    }

    /** Looks only until it has seen enough; most texts have them at their start. */
    private boolean areEnough(long[] hashes, int n) {
        int distinct = 0;
        for (int i = 0; i < n && distinct < BoilerplateShingles.LEFT_MIN; i++) {
            distinct = withSeen(hashes[i], distinct);
        }
        return distinct == BoilerplateShingles.LEFT_MIN;
    }

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
