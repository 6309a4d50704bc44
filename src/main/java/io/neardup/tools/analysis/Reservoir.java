package io.neardup.tools.analysis;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Some of what passes, drawn at random, each with the same chance, within a number and a size: those of the lowest
 * ranks stay. Where the size is exceeded, those of the highest leave, and from then on no more are held than stayed.
 * The same ranks draw the same. Not thread-safe.
 *
 * @param <T> what passes
 */
final class Reservoir<T> {
    private final long sizeMax;
    private final ToLongFunction<T> sizeOf;
    private final PriorityQueue<Drawn<T>> drawn =
            new PriorityQueue<>(Comparator.<Drawn<T>>comparingLong(Drawn::rank).reversed());

    private int countMax;
    private long highest = Long.MAX_VALUE;
    private long size;
    private long seen;

    private record Drawn<T>(long rank, long number, T value) {}

    /**
     * @param countMax at least 1
     * @param sizeMax of all together; one stays, however large
     */
    Reservoir(int countMax, long sizeMax, ToLongFunction<T> sizeOf) {
        this.countMax = countMax;
        this.sizeMax = sizeMax;
        this.sizeOf = sizeOf;
    }

    /** The rank of two numbers in this order, 0 or more, in whatever order ranks are drawn. */
    static long randomRank(int first, int second) {
        long mixed = (((long) first << Integer.SIZE) | (second & 0xFFFFFFFFL)) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
        return (mixed ^ (mixed >>> 32)) >>> 1;
    }

    /**
     * One more passes.
     *
     * @param value asked for only if it is drawn
     */
    void offer(long rank, Supplier<T> value) {
        if (offer(rank)) {
            keep(rank, value.get());
        }
    }

    /** One more passes; returns whether its rank is low enough to {@link #keep} it. */
    boolean offer(long rank) {
        seen++;
        return rank < highest;
    }

    void keep(long rank, T value) {
        drawn.add(new Drawn<>(rank, seen, value));
        size += sizeOf.applyAsLong(value);
        lower(countMax);
        while (size > sizeMax && drawn.size() > 1) {
            lower(drawn.size() - 1);
        }
    }

    /** Keeps no more than so many from now on. */
    void lower(int count) {
        countMax = Math.min(countMax, count);
        while (drawn.size() > countMax) {
            size -= sizeOf.applyAsLong(drawn.remove().value);
        }
        highest = drawn.size() < countMax ? Long.MAX_VALUE : drawn.element().rank;
    }

    Stream<T> inNoOrder() {
        return drawn.stream().map(Drawn::value);
    }

    /** Those that are drawn so far, in the order in which they passed. */
    List<T> drawn() {
        return drawn.stream()
                .sorted(Comparator.comparingLong(Drawn::number))
                .map(Drawn::value)
                .toList();
    }

    int count() {
        return drawn.size();
    }

    long size() {
        return size;
    }

    long seen() {
        return seen;
    }
}
