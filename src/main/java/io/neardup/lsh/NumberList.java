package io.neardup.lsh;

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

    long bytes() {
        return HeapSize.ints(numbers.length);
    }
}
