package io.neardup.engine.lsh;

import java.util.Arrays;

/** A reusable list of document numbers. */
final class NumberList {
    private int[] numbers = new int[64];
    private int size;

    void clear() {
        size = 0;
    }

    void add(int number) {
        if (size == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * size);
        }
        numbers[size++] = number;
    }

    int size() {
        return size;
    }

    int get(int i) {
        return numbers[i];
    }

    /** Whether a number is at one of the places from the first to before the last. */
    boolean contains(int number, int from, int to) {
        for (int i = from; i < to; i++) {
            if (numbers[i] == number) {
                return true;
            }
        }
        return false;
    }

    long bytes() {
        return HeapSize.ints(numbers.length);
    }
}
