package io.neardup.protocol;

import java.util.Arrays;

/** Gathers {@link Refs}. */
final class RefsBuilder {
    private long[] packed = new long[8];
    private int size;

    void add(long ref) {
        if (size == packed.length) {
            packed = Arrays.copyOf(packed, 2 * size);
        }
        packed[size++] = ref;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** All that was added; nothing is left here. */
    Refs take() {
        Refs taken = size == 0 ? Refs.NONE : Refs.owning(Arrays.copyOf(packed, size));
        size = 0;
        return taken;
    }
}
