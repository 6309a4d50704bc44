package io.neardup.engine.protocol;

import java.util.Arrays;

/** Gathers {@link DocumentRefs}. */
final class DocumentRefsBuilder {
    private static final int CAPACITY_MIN = 8;

    private long[] packed = new long[0];
    private int size;

    void add(long ref) {
        if (size == packed.length) {
            packed = Arrays.copyOf(packed, Math.max(CAPACITY_MIN, 2 * size));
        }
        packed[size++] = ref;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    boolean has(long ref) {
        for (int i = 0; i < size; i++) {
            if (packed[i] == ref) {
                return true;
            }
        }
        return false;
    }

    /** All that was added; nothing is left here. */
    DocumentRefs take() {
        DocumentRefs taken = size == 0 ? DocumentRefs.NONE : DocumentRefs.owning(Arrays.copyOf(packed, size));
        size = 0;
        return taken;
    }
}
