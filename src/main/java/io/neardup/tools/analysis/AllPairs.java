package io.neardup.tools.analysis;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * All pairs of sets whose Jaccard similarity reaches a floor t, and no others.
 *
 * <p>Sets are taken from the smallest to the largest. Two sets of n &gt;= m shingles reach t if they share at least t /
 * (1 + t) (n + m). Put all shingles in one order. Then two such sets share one among the first n - ceil(t n) + 1 of the
 * larger and the first m - ceil(2 t / (1 + t) m) + 1 of the smaller (prefix filter: Chaudhuri, Ganti, Kaushik 2006;
 * Bayardo, Ma, Srikant 2007). With the rarest shingles first these prefixes meet few others. Sets smaller than t n are
 * skipped.
 *
 * <p>What two prefixes share, and what can still follow, rules most pairs out before they are compared (Xiao, Wang,
 * Lin, Yu 2008); unlike there it is asked once a pair, not once a shingle. A comparison ends as soon as it cannot
 * succeed.
 *
 * <p>Not thread-safe. Memory: 4 bytes a shingle of an indexed prefix, 8 bytes a rank.
 */
final class AllPairs {
    /**
     * More than the error of t n in doubles: a bound that comes out too low lets more pairs through, which are
     * compared.
     */
    private static final double SLACK = 1e-6;

    /** As long as arrays can be. */
    private static final int PLACES_MAX = Integer.MAX_VALUE - 8;

    private final RankedSets sets;
    private final double floor;
    /** The sets from the smallest to the largest; below, a place is a place in it. */
    private final int[] order;

    /** For each rank where its list of places starts, how far it is filled, and the lists one behind the other. */
    private final int[] starts;

    private final int[] ends;
    private final int[] lists;

    /** How many shingles a place shares with the set that asks, as far as prefixes go. */
    private final int[] shared;

    private final int[] met;
    private int metCount;

    /** Places met and ranks compared so far. */
    private long steps;

    /**
     * @param floor above 0, at most 1
     * @throws SampleTooLargeException if the prefixes do not fit in one array
     */
    AllPairs(RankedSets sets, double floor) {
        this(sets, floor, PLACES_MAX);
    }

    /** @param placesMax shingles of all indexed prefixes at the most */
    AllPairs(RankedSets sets, double floor, int placesMax) {
        if (!(floor > 0 && floor <= 1)) {
            throw new IllegalArgumentException("floor " + floor + ": expected above 0, at most 1");
        }
        this.sets = sets;
        this.floor = floor;
        this.order = IntStream.range(0, sets.count())
                .boxed()
                .sorted(Comparator.comparingInt(sets::size))
                .mapToInt(Integer::intValue)
                .toArray();
        this.starts = new int[sets.ranks()];
        this.ends = new int[sets.ranks()];
        this.lists = new int[layOut(placesMax)];
        this.shared = new int[sets.count()];
        this.met = new int[sets.count()];
    }

    /**
     * Tells all pairs, in no particular order. To be called once.
     *
     * @param progress is told how many sets have been compared with all smaller ones
     */
    void join(PairSink sink, IntConsumer progress) {
        join(sink, progress, Long.MAX_VALUE);
    }

    /**
     * As {@link #join(PairSink, IntConsumer)}, within so much work.
     *
     * @param stepsMax lookups and comparisons of shingles, of a few nanoseconds each; one set may exceed it
     * @return whether that was enough; else only some of the pairs were told
     */
    boolean join(PairSink sink, IntConsumer progress, long stepsMax) {
        for (int place = 0; place < order.length && steps <= stepsMax; place++) {
            meet(place);
            compareMet(place, sink);
            index(place);
            progress.accept(place + 1);
        }
        return steps <= stepsMax;
    }

    /** Makes room for each rank's list; returns the room of all. */
    private int layOut(int placesMax) {
        for (int set = 0; set < sets.count(); set++) {
            int[] ranks = sets.repeated(set);
            int length = indexed(set);
            for (int i = 0; i < length; i++) {
                ends[ranks[i]]++;
            }
        }
        long room = 0;
        for (int rank = 0; rank < ends.length; rank++) {
            starts[rank] = (int) room;
            room += ends[rank];
            ends[rank] = starts[rank];
            if (room > placesMax) {
                throw new SampleTooLargeException("Places of shingles in documents", placesMax);
            }
        }
        return (int) room;
    }

    private void meet(int place) {
        int set = order[place];
        int[] ranks = sets.repeated(set);
        int length = asking(set);
        int sizeMin = (int) Math.ceil(floor * sets.size(set) - SLACK);
        metCount = 0;
        for (int i = 0; i < length; i++) {
            int rank = ranks[i];
            int start = starts[rank];
            int end = ends[rank];
            while (start < end && sets.size(order[lists[start]]) < sizeMin) {
                start++;
            }
            starts[rank] = start;
            count(start, end);
        }
    }

    private void count(int start, int end) {
        int[] counts = shared;
        steps += end - start;
        for (int i = start; i < end; i++) {
            int other = lists[i];
            if (counts[other]++ == 0) {
                met[metCount++] = other;
            }
        }
    }

    private void compareMet(int place, PairSink sink) {
        int a = order[place];
        for (int i = 0; i < metCount; i++) {
            int b = order[met[i]];
            int sharedByPrefixes = shared[met[i]];
            shared[met[i]] = 0;
            if (!sink.wants(a, b)) {
                continue;
            }
            int all = sets.size(a) + sets.size(b);
            int common = sharedOrLess(a, b, sharedByPrefixes, (int) Math.ceil(floor / (1 + floor) * all - SLACK));
            double jaccard = common / (double) (all - common);
            if (jaccard >= floor) {
                sink.pair(Math.min(a, b), Math.max(a, b), jaccard);
            }
        }
    }

    /**
     * How many shingles two sets share; some lower number if that is less than needed. What their prefixes share is
     * known: the rest lies behind the prefix that ends first.
     */
    private int sharedOrLess(int a, int b, int inPrefixes, int needed) {
        int[] ranksOfA = sets.repeated(a);
        int[] ranksOfB = sets.repeated(b);
        int i = asking(a);
        int j = indexed(b);
        if (ranksOfA[i - 1] < ranksOfB[j - 1]) {
            j = i == ranksOfA.length || inPrefixes + ranksOfA.length - i < needed
                    ? ranksOfB.length
                    : insertion(ranksOfB, ranksOfA[i]);
        } else {
            i = j == ranksOfB.length || inPrefixes + ranksOfB.length - j < needed
                    ? ranksOfA.length
                    : insertion(ranksOfA, ranksOfB[j]);
        }
        return inPrefixes + sharedOrLess(ranksOfA, i, ranksOfB, j, needed - inPrefixes);
    }

    private int sharedOrLess(int[] a, int fromA, int[] b, int fromB, int needed) {
        int i = fromA;
        int j = fromB;
        int common = 0;
        while (i < a.length && j < b.length && common + Math.min(a.length - i, b.length - j) >= needed) {
            int rankOfA = a[i];
            int rankOfB = b[j];
            common += rankOfA == rankOfB ? 1 : 0;
            i += rankOfA <= rankOfB ? 1 : 0;
            j += rankOfB <= rankOfA ? 1 : 0;
        }
        steps += i - fromA + j - fromB;
        return common;
    }

    /** Where a rank stands or would stand. */
    private static int insertion(int[] ranks, int rank) {
        int found = Arrays.binarySearch(ranks, rank);
        return found < 0 ? -found - 1 : found;
    }

    private void index(int place) {
        int[] ranks = sets.repeated(order[place]);
        int length = indexed(order[place]);
        for (int i = 0; i < length; i++) {
            lists[ends[ranks[i]]++] = place;
        }
    }

    /** How many repeated shingles of a set are looked up. */
    private int asking(int set) {
        return prefix(set, floor);
    }

    /** How many repeated shingles of a set are to be found by larger ones. */
    private int indexed(int set) {
        return prefix(set, 2 * floor / (1 + floor));
    }

    private int prefix(int set, double share) {
        int size = sets.size(set);
        int length = size - (int) Math.ceil(share * size - SLACK) + 1;
        int repeated = sets.repeated(set).length;
        return Math.max(0, Math.min(repeated, length - (size - repeated)));
    }
}
