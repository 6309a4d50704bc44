package io.neardup.engine.similarity;

/** Random lines in space, cut into buckets of one width at random offsets. */
final class Projections {
    private final int dimensions;
    private final double width;
    /** The components of each line's direction, line after line. */
    private final double[] directions;

    private final double[] offsets;

    Projections(int lines, int dimensions, double width, long seed) {
        this.dimensions = dimensions;
        this.width = width;
        this.directions = new double[lines * dimensions];
        this.offsets = new double[lines];
        SplitMix64 draws = new SplitMix64(seed);
        for (int i = 0; i < directions.length; i++) {
            directions[i] = draws.normal();
        }
        for (int i = 0; i < lines; i++) {
            offsets[i] = width * draws.unit();
        }
    }

    /** The bucket of each line that a vector falls into, as 32 bits of a hash of the bucket's number. */
    int[] buckets(double[] vector) {
        int[] buckets = new int[offsets.length];
        for (int line = 0; line < buckets.length; line++) {
            double bucket = Math.floor((product(line * dimensions, vector) + offsets[line]) / width);
            // A cast to long would put all large numbers into one bucket. + 0.0 turns -0.0, which has other bits, into
            // 0.0.
            buckets[line] = (int) SplitMix64.mix(Double.doubleToLongBits(bucket + 0.0));
        }
        return buckets;
    }

    /** Sums in one fixed order, so that every machine rounds alike. */
    private double product(int at, double[] vector) {
        double sum = 0;
        for (int i = 0; i < vector.length; i++) {
            sum += directions[at + i] * vector[i];
        }
        return sum;
    }
}
