package io.neardup.engine.similarity;

import java.util.Arrays;

/**
 * The bytes by which a document's similarity to another is judged. Only the {@link SimilarityJudge} that made them
 * knows what they mean: everyone else carries them.
 */
public final class Evidence {
    private final byte[] bytes;

    private Evidence(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Evidence of the array itself, not of a copy: whole texts pass through here. Nobody may change it any more. */
    public static Evidence of(byte[] bytes) {
        return new Evidence(bytes);
    }

    /** The array itself, to be read only. */
    public byte[] bytes() {
        return bytes;
    }

    /** @throws IllegalArgumentException when either is not of so many bytes */
    static void requireLength(Evidence a, Evidence b, int bytes) {
        if (a.bytes.length != bytes || b.bytes.length != bytes) {
            throw new IllegalArgumentException("Evidence of " + a.bytes.length + " and " + b.bytes.length
                    + " bytes: expected " + bytes + " of each");
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Evidence evidence && Arrays.equals(bytes, evidence.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The length alone: documents are not for logs. */
    @Override
    public String toString() {
        return "Evidence[" + bytes.length + " bytes]";
    }
}
