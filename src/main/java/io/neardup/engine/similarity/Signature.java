package io.neardup.engine.similarity;

import java.util.Arrays;

/** A document's fixed vector of 32-bit rows, in which similar documents agree at many positions. Immutable. */
public final class Signature {
    private final int[] values;

    private Signature(int[] values) {
        this.values = values;
    }

    /** A signature of a copy of the values. */
    public static Signature of(int[] values) {
        return new Signature(values.clone());
    }

    /** A signature of the array itself, which the caller must not change any more. */
    static Signature owning(int[] values) {
        return new Signature(values);
    }

    public int size() {
        return values.length;
    }

    public int value(int i) {
        return values[i];
    }

    /** The array itself, to be read only. */
    public int[] values() {
        return values;
    }

    /**
     * Estimate of the Jaccard similarity, 0 to 1: the share of positions that agree. Its standard error is at most
     * sqrt(J (1 - J) / size), at J = 0.7 that is 0.040 with 130 values.
     *
     * @throws IllegalArgumentException when the sizes differ or are 0
     */
    public double estimate(Signature other) {
        if (values.length != other.values.length || values.length == 0) {
            throw new IllegalArgumentException("Signatures of " + values.length + " and " + other.values.length
                    + " values: expected the same number of both, at least 1");
        }
        int equal = 0;
        for (int i = 0; i < values.length; i++) {
            equal += values[i] == other.values[i] ? 1 : 0;
        }
        return equal / (double) values.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Signature signature && Arrays.equals(values, signature.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return "Signature[" + values.length + " values]";
    }
}
