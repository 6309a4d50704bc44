package io.neardup.sources;

import java.util.function.DoubleUnaryOperator;

/** Integrals by Simpson's rule. */
final class Integral {
    private static final int INTERVALS = 200;

    private Integral() {}

    static double of(DoubleUnaryOperator function, double from, double to) {
        double step = (to - from) / INTERVALS;
        double sum = function.applyAsDouble(from) + function.applyAsDouble(to);
        for (int i = 1; i < INTERVALS; i++) {
            sum += (i % 2 == 1 ? 4 : 2) * function.applyAsDouble(from + i * step);
        }
        return sum * step / 3;
    }
}
