package io.neardup.tools.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Some of what passes, drawn at random, each with the same chance (Vitter 1985, algorithm R), within a number and a
 * size. Where the size is exceeded, some of what was drawn leave at random, and from then on no more are held than
 * stayed. Two runs with the same seed draw the same. Not thread-safe.
 *
 * @param <T> what passes
 */
final class Reservoir<T> {
    private final long sizeMax;
    private final ToLongFunction<T> sizeOf;
    private final SplittableRandom random;
    private final List<Drawn<T>> drawn = new ArrayList<>();
    private int countMax;
    private long size;
    private long seen;

    private record Drawn<T>(long number, T value) {}

    /**
     * Nothing has passed yet.
     *
     * @param countMax at least 1
     * @param sizeMax of all together; one stays, however large
     */
    Reservoir(int countMax, long sizeMax, ToLongFunction<T> sizeOf, SplittableRandom random) {
        this.countMax = countMax;
        this.sizeMax = sizeMax;
        this.sizeOf = sizeOf;
        this.random = random;
    }

    /**
     * One more passes.
     *
     * @param value asked for only if it is drawn
     */
    void offer(Supplier<T> value) {
        seen++;
        long place = drawn.size() < countMax ? drawn.size() : random.nextLong(seen);
        if (place < countMax) {
            put((int) place, new Drawn<>(seen, value.get()));
        }
    }

    private void put(int place, Drawn<T> one) {
        size += sizeOf.applyAsLong(one.value);
        if (place == drawn.size()) {
            drawn.add(one);
        } else {
            size -= sizeOf.applyAsLong(drawn.set(place, one).value);
        }
        while (size > sizeMax && drawn.size() > 1) {
            countMax = drawn.size() - 1;
            int leaving = random.nextInt(drawn.size());
            size -= sizeOf.applyAsLong(drawn.set(leaving, drawn.get(countMax)).value);
            drawn.remove(countMax);
        }
    }

    /** Those that are drawn so far, in the order in which they passed. */
    List<T> drawn() {
        return drawn.stream()
                .sorted(Comparator.comparingLong(Drawn::number))
                .map(Drawn::value)
                .toList();
    }

    /** How large those are together. */
    long size() {
        return size;
    }

    /** How many have passed. */
    long seen() {
        return seen;
    }

    /** Whether all that passed are drawn. */
    boolean isWhole() {
        return drawn.size() == seen;
    }
}
