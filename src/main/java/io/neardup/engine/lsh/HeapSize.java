package io.neardup.engine.lsh;

/** The heap that arrays take, in bytes: 16 for the header, 4 for a reference (a heap below 32 GB). */
final class HeapSize {
    private static final long ARRAY_HEADER = 16;

    private HeapSize() {}

    static long longs(int length) {
        return ARRAY_HEADER + 8L * length;
    }

    static long ints(int length) {
        return ARRAY_HEADER + 4L * length;
    }

    static long references(int length) {
        return ARRAY_HEADER + 4L * length;
    }
}
