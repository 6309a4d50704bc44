package io.neardup.tools.analysis;

import io.neardup.engine.text.ShingleSet;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Sets of shingles with each shingle replaced by its rank: the fewer documents have it, the lower. Shingles of one
 * document alone are only counted; in each set they come before all others.
 */
final class RankedSets {
    private final int[] sizes;
    private final int[][] repeated;
    private final int ranks;

    private RankedSets(int[] sizes, int[][] repeated, int ranks) {
        this.sizes = sizes;
        this.repeated = repeated;
        this.ranks = ranks;
    }

    /**
     * Reads the source twice.
     *
     * @param progress is told how many documents have been read, at the end twice as many as there are
     */
    static RankedSets of(ShingleSource source, IntConsumer progress) {
        RepeatFilter filter = new RepeatFilter(source.shinglesMax());
        for (int document = 0; document < source.documents(); document++) {
            filter.see(source.shingles(document));
            progress.accept(document + 1);
        }
        int[] sizes = new int[source.documents()];
        int[][] repeated = new int[source.documents()][];
        ShingleNumbers numbers = new ShingleNumbers();
        for (int document = 0; document < sizes.length; document++) {
            ShingleSet shingles = source.shingles(document);
            sizes[document] = shingles.size();
            repeated[document] = numbered(shingles, filter, numbers);
            progress.accept(sizes.length + document + 1);
        }
        int[] rankOf = ranks(numbers.counts());
        int ranks = 0;
        for (int document = 0; document < sizes.length; document++) {
            repeated[document] = ranked(repeated[document], rankOf);
            int length = repeated[document].length;
            ranks = length == 0 ? ranks : Math.max(ranks, repeated[document][length - 1] + 1);
        }
        return new RankedSets(sizes, repeated, ranks);
    }

    private static int[] numbered(ShingleSet shingles, RepeatFilter filter, ShingleNumbers numbers) {
        int[] found = new int[shingles.size()];
        int size = 0;
        for (int i = 0; i < found.length; i++) {
            if (filter.isRepeated(shingles.hash(i))) {
                found[size++] = numbers.meet(shingles.hash(i));
            }
        }
        return Arrays.copyOf(found, size);
    }

    /**
     * The rank of each number by its count, from the lowest count above 1; -1 of those that count 1. A counting sort.
     */
    private static int[] ranks(int[] counts) {
        int most = Arrays.stream(counts).max().orElse(0);
        int[] next = new int[most + 2];
        for (int count : counts) {
            next[count + 1] += count > 1 ? 1 : 0;
        }
        for (int count = 1; count < next.length; count++) {
            next[count] += next[count - 1];
        }
        int[] ranks = new int[counts.length];
        for (int number = 0; number < counts.length; number++) {
            ranks[number] = counts[number] > 1 ? next[counts[number]]++ : -1;
        }
        return ranks;
    }

    private static int[] ranked(int[] numbers, int[] rankOf) {
        int[] ranked = new int[numbers.length];
        int size = 0;
        for (int number : numbers) {
            if (rankOf[number] >= 0) {
                ranked[size++] = rankOf[number];
            }
        }
        ranked = size == ranked.length ? ranked : Arrays.copyOf(ranked, size);
        Arrays.sort(ranked);
        return ranked;
    }

    /** Sets, numbered from 0 as in the source. */
    int count() {
        return sizes.length;
    }

    /** Shingles of a set. */
    int size(int set) {
        return sizes[set];
    }

    /** The ranks of the shingles that others have too, rising; not to be changed. */
    int[] repeated(int set) {
        return repeated[set];
    }

    /** Above all ranks. */
    int ranks() {
        return ranks;
    }
}
