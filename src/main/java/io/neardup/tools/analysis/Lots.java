package io.neardup.tools.analysis;

import java.util.SplittableRandom;

/** Random numbers from 0 on. Those of a pair of numbers depend on these alone, in whatever order they are drawn. */
final class Lots {
    private Lots() {}

    static long next(SplittableRandom random) {
        return random.nextLong() >>> 1;
    }

    /** The lot of two numbers in this order, 0 or more. */
    static long lot(int first, int second) {
        long mixed = (((long) first << Integer.SIZE) | (second & 0xFFFFFFFFL)) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
        return (mixed ^ (mixed >>> 32)) >>> 1;
    }
}
