package io.neardup.engine.similarity;

import java.util.Arrays;
import java.util.function.DoubleToIntFunction;

/**
 * How many differences the sketches of two documents may have at the most, by how similar the two must be: a pair with
 * more is cut. Immutable.
 */
public final class SketchCut {
    /** No sketch tells that a pair is not similar enough. */
    public static final SketchCut NONE = always(Integer.MAX_VALUE);

    private static final int STEPS = 64;

    private final double threshold;
    /** For similarities from the threshold to 1, in equal steps. */
    private final int[] differencesMax;

    private SketchCut(double threshold, int[] differencesMax) {
        this.threshold = threshold;
        this.differencesMax = differencesMax;
    }

    /**
     * A cut that is narrower where pairs must be more similar.
     *
     * @param threshold above 0, to 1: the least similarity that it is asked for
     * @param differencesMax by similarity, as {@link BitSketch#differencesMax} tells
     */
    public static SketchCut of(double threshold, DoubleToIntFunction differencesMax) {
        int[] steps = new int[STEPS];
        Arrays.setAll(steps, step -> differencesMax.applyAsInt(threshold + step * (1 - threshold) / STEPS));
        return new SketchCut(threshold, steps);
    }

    /** The same cut whatever the similarity. */
    public static SketchCut always(int differencesMax) {
        return new SketchCut(0, new int[] {differencesMax});
    }

    /** The most differences that a pair at the threshold may have. */
    public int differencesMax() {
        return differencesMax[0];
    }

    /**
     * The most differences that a pair of some similarity may have.
     *
     * @param similarity at least the threshold, to 1. It is rounded down, by 1/{@value #STEPS} of what lies above the
     *     threshold at the most
     */
    public int differencesMax(double similarity) {
        int steps = differencesMax.length;
        int step = (int) (steps * (similarity - threshold) / (1 - threshold));
        return differencesMax[Math.min(step, steps - 1)];
    }
}
