package io.neardup.sketch;

import java.nio.ByteBuffer;

/**
 * Jaccard similarity estimated from two signatures, within about 0.04 (one standard error, 130 values, similarity 0.7). The
 * evidence is the values in order, 4 bytes each, big endian: small, and of one size whatever the document.
 */
public final class EstimatedJaccard implements SimilarityJudge {
    public static Evidence evidence(Signature signature) {
        ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES * signature.size());
        for (int i = 0; i < signature.size(); i++) {
            buffer.putInt(signature.value(i));
        }
        return Evidence.of(buffer.array());
    }

    @Override
    public double similarity(Evidence a, Evidence b) {
        int length = a.bytes().length;
        if (length != b.bytes().length || length == 0 || length % Integer.BYTES != 0) {
            throw new IllegalArgumentException("Evidence of " + length + " and " + b.bytes().length
                    + " bytes: expected two signatures of one size, 4 bytes a value");
        }
        ByteBuffer valuesOfA = ByteBuffer.wrap(a.bytes());
        ByteBuffer valuesOfB = ByteBuffer.wrap(b.bytes());
        int equal = 0;
        for (int at = 0; at < length; at += Integer.BYTES) {
            equal += valuesOfA.getInt(at) == valuesOfB.getInt(at) ? 1 : 0;
        }
        return Integer.BYTES * equal / (double) length;
    }
}
