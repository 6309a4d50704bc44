package io.neardup.tools.analysis;

/** Random numbers that depend on a pair of numbers alone, so that every run draws alike in whatever order. */
final class Lots {
    private Lots() {}

    /** The lot of two numbers in this order, 0 or more. */
    static long lot(int first, int second) {
        long mixed = (((long) first << Integer.SIZE) | (second & 0xFFFFFFFFL)) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
        return (mixed ^ (mixed >>> 32)) >>> 1;
    }
}
