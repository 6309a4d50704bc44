package io.neardup.engine.similarity;

/** Checks of what signers and judges are given. */
final class Checks {
    private Checks() {}

    static void values(int values, int valuesMax) {
        if (values < 1 || values > valuesMax) {
            throw new IllegalArgumentException("Signature of " + values + " values: expected 1 to " + valuesMax);
        }
    }

    static void evidence(Evidence a, Evidence b, int bytes) {
        if (a.bytes().length != bytes || b.bytes().length != bytes) {
            throw new IllegalArgumentException("Evidence of " + a.bytes().length + " and " + b.bytes().length
                    + " bytes: expected " + bytes + " of each");
        }
    }
}
