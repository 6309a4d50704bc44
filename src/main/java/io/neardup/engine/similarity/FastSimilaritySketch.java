package io.neardup.engine.similarity;

import io.neardup.engine.text.BoilerplateFilter;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.engine.text.Shingles;
import java.util.Arrays;

/**
 * Fast Similarity Sketching (Dahlgaard, Knudsen and Thorup, FOCS 2017, arXiv 1704.04370): as accurate as the same
 * number of independent MinHash functions, for the price of about one.
 *
 * <p>Round 0 throws every hash into one of t bins, and each bin keeps its least. While bins are empty, another round
 * throws the hashes anew and fills the bins that were empty before it. Rounds t to 2t - 1 throw every hash into bin
 * round - t, so that each bin is filled in the end, even for one shingle. Time is O(n + t log t) for n shingles, of
 * which few are the same; else these are thrown once each, as soon as so many throws show it.
 *
 * <p>The estimate is unbiased and its variance at most J (1 - J) / t for sets of any size, which makes the values safe
 * for banding. The values are not independent: those of one band agree together a little less often than s^r says. So
 * the chance to share a bucket rises slightly more steeply with the similarity than the S-curve does.
 *
 * <p>Varies from the paper in three points. One 64-bit hash a shingle comes in already mixed, and a mixer of two
 * multiplications with a salt for each round stands in for the independent hash functions. The bin and the order within
 * it come from the same 64 bits. A value is the low 32 bits with the round mixed in, so unlike minima agree with
 * probability 2^-32. For one thread.
 */
public final class FastSimilaritySketch {
    /** Version of the values; an index built with another cannot be compared with. */
    public static final int VERSION = 1;

    public static final int SIZE_MAX = 256;

    private static final long EMPTY = Long.MAX_VALUE;
    private static final int ROUND_STEP = 0x9E3779B9;
    /** Times t: so many throws of unlike hashes leave a bin empty once in a thousand times. */
    private static final int THROWS_MAX = 12;
    /** Where more than one in so many is boilerplate, to exclude all of it first is cheaper. */
    private static final int BOILERPLATE_SHARE = 3;

    private final int size;
    private final long[] minima;
    private final int[] emptyBins;
    private final int[] isWanted;
    private long[] mixed = new long[0];
    private long[] gathered = new long[0];

    /** @param size values in a signature, 1 to 256 */
    public FastSimilaritySketch(int size) {
        Family.requireValues(size, SIZE_MAX);
        this.size = size;
        this.minima = new long[size];
        this.emptyBins = new int[size];
        this.isWanted = new int[size];
    }

    /**
     * The signature of a set of shingles; repeats and order do not matter.
     *
     * @param shingles at least one, well-mixed 64-bit hashes
     */
    public int[] sign(Shingles shingles) {
        int count = shingles.size();
        if (count == 0) {
            throw new IllegalArgumentException("No shingles: expected at least 1, an empty text has no signature");
        }
        long[] hashes = shingles.array();
        int[] values = new int[size];
        for (int bin = 0; bin < size; bin++) {
            emptyBins[bin] = bin;
        }
        throwOnce(hashes, count);
        int empty = fill(values, size, 0);
        boolean mayRepeat = true;
        for (int round = 1; empty > 0 && round < size; round++) {
            if (mayRepeat && (long) count * round > (long) THROWS_MAX * size) {
                hashes = Arrays.stream(hashes, 0, count).sorted().distinct().toArray();
                count = hashes.length;
                mayRepeat = false;
            }
            throwAgain(hashes, count, SaltedHash.salt(round));
            empty = fill(values, empty, round);
        }
        for (int i = 0; i < empty; i++) {
            int round = size + emptyBins[i];
            values[emptyBins[i]] = value(least(hashes, count, SaltedHash.salt(round)), round);
        }
        return values;
    }

    /**
     * The signature of a text's shingles without boilerplate, the same as if that had been excluded before. Nearly
     * always the least hash of each bin is enough: where that counts, nobody needs to know what else in the bin
     * does. Else boilerplate is excluded first.
     *
     * @param shingles of the whole text, at least one; it may lose boilerplate
     * @throws IllegalArgumentException when there is none
     */
    public Filtered sign(Shingles shingles, BoilerplateFilter filter) {
        int n = shingles.size();
        throwOnce(shingles.array(), n);
        if (size >= BoilerplateShingles.LEFT_MIN && areAllTaken()) {
            int boilerplate = filter.find(minima, 0, size);
            if (boilerplate == 0
                    || (boilerplate <= size / BOILERPLATE_SHARE
                            && areReplaced(shingles.array(), n, boilerplate, filter))) {
                return new Filtered(fromFirstRound(), (int) (((long) n * boilerplate + size / 2) / size));
            }
        }
        filter.exclude(shingles);
        return new Filtered(sign(shingles), shingles.excluded());
    }

    /**
     * What shingles without boilerplate become.
     *
     * @param excluded how many were excluded; of a long text by a sample, the least hash of each bin
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    public record Filtered(int[] signature, int excluded) {}

    /** Puts the least hash that counts into each bin where the least of all does not; false if a bin has none. */
    private boolean areReplaced(long[] hashes, int n, int boilerplate, BoilerplateFilter filter) {
        Arrays.fill(isWanted, 0);
        for (int i = 0; i < boilerplate; i++) {
            int bin = filter.places()[i];
            isWanted[bin] = 1;
            minima[bin] = EMPTY;
        }
        int wanted = gather(hashes, n);
        int found = filter.find(gathered, 0, wanted);
        filter.moveFoundBehind(gathered, wanted, found);
        throwGathered(wanted - found);
        return areAllTaken();
    }

    /**
     * Takes the hashes of the bins that are wanted, a block at a time. If each hash was stored as it is found, the
     * processor would often wait for the stores: where the arrays lie at addresses that it takes for the same.
     */
    private int gather(long[] hashes, int n) {
        if (gathered.length < n) {
            gathered = new long[n + n / 2];
        }
        long[] to = gathered;
        int count = 0;
        for (int from = 0; from < n; from += Long.SIZE) {
            long left = wanted(hashes, from, Math.min(n, from + Long.SIZE));
            while (left != 0) {
                to[count++] = hashes[from + Long.numberOfTrailingZeros(left)];
                left &= left - 1;
            }
        }
        return count;
    }

    /** A bit for each of up to 64 hashes; no predictor could learn which are wanted. */
    private long wanted(long[] hashes, int from, int to) {
        int[] isWantedBin = isWanted;
        int bins = isWantedBin.length;
        long wanted = 0;
        for (int i = from; i < to; i++) {
            wanted |= (long) isWantedBin[(int) (((hashes[i] >>> 32) * bins) >>> 32)] << (i - from);
        }
        return wanted;
    }

    private int bin(long hash) {
        return (int) (((hash >>> 32) * size) >>> 32);
    }

    private boolean areAllTaken() {
        int empty = 0;
        for (long least : minima) {
            empty += least == EMPTY ? 1 : 0;
        }
        return empty == 0;
    }

    private int[] fromFirstRound() {
        int[] values = new int[size];
        for (int i = 0; i < size; i++) {
            values[i] = value(minima[i], 0);
        }
        return values;
    }

    /** Stores the lesser one every time: three times as fast as a branch, which no predictor can learn. */
    private void throwOnce(long[] hashes, int count) {
        long[] least = minima;
        int bins = least.length;
        Arrays.fill(least, EMPTY);
        for (int i = 0; i < count; i++) {
            long hash = hashes[i];
            int bin = (int) (((hash >>> 32) * bins) >>> 32);
            least[bin] = lesser(least[bin], hash);
        }
    }

    /** Throws the hashes anew, of which only those count that fall into bins that are still empty: few. */
    private void throwAgain(long[] hashes, int count, long salt) {
        if (mixed.length < count) {
            mixed = new long[count + count / 2];
        }
        mix(hashes, count, salt, mixed);
        throwGathered(gather(mixed, count));
    }

    /** On its own, so that the compiler does several at a time. */
    private static void mix(long[] hashes, int count, long salt, long[] mixed) {
        for (int i = 0; i < count; i++) {
            mixed[i] = SaltedHash.of(hashes[i], salt);
        }
    }

    private void throwGathered(int count) {
        for (int i = 0; i < count; i++) {
            int bin = bin(gathered[i]);
            minima[bin] = lesser(minima[bin], gathered[i]);
        }
    }

    /**
     * {@link Math#min(long, long)} without a branch. The compiler makes that one a branch where it has seen one side
     * win most of the time, as with long texts. With short ones the same branch is then mispredicted.
     *
     * <p>The sign of the difference tells which is less, but for an overflow: where the signs differ, that of a does.
     */
    private static long lesser(long a, long b) {
        long differing = a ^ b;
        long difference = a - b;
        long isLess = (difference ^ (differing & (difference ^ a))) >> (Long.SIZE - 1);
        return b ^ (differing & isLess);
    }

    private static long least(long[] hashes, int count, long salt) {
        long least = EMPTY;
        for (int i = 0; i < count; i++) {
            least = lesser(least, SaltedHash.of(hashes[i], salt));
        }
        return least;
    }

    /**
     * Takes this round's minima into the bins that were empty before it; returns how many still are. Without a branch,
     * which no predictor can learn: the value of a bin that is still empty is replaced by a later round.
     */
    private int fill(int[] values, int emptyBefore, int round) {
        int empty = 0;
        for (int i = 0; i < emptyBefore; i++) {
            int bin = emptyBins[i];
            long differing = minima[bin] ^ EMPTY;
            int isEmpty = 1 - (int) ((differing | -differing) >>> (Long.SIZE - 1));
            values[bin] = value(minima[bin], round);
            isWanted[bin] = isEmpty;
            emptyBins[empty] = bin;
            empty += isEmpty;
        }
        return empty;
    }

    /** From the low bits: the high bits of a minimum depend on its bin and on the number of shingles. */
    private static int value(long minimum, int round) {
        return (int) minimum + ROUND_STEP * round;
    }
}
