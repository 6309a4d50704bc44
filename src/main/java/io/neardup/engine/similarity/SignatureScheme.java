package io.neardup.engine.similarity;

import io.neardup.engine.text.Shingles;

/**
 * Makes signatures in which each position agrees with a probability equal to the Jaccard similarity of the shingle
 * sets. Implementations may keep scratch buffers: one instance for one thread.
 */
public interface SignatureScheme {
    /** The number of values in a signature. */
    int size();

    /**
     * The signature of a set of shingles; repeats and order do not matter.
     *
     * @param shingles at least one, well-mixed 64-bit hashes
     * @throws IllegalArgumentException when there is none: an empty text has no signature
     */
    Signature sign(Shingles shingles);

    /** The algorithm and the size, such as {@code fss:130}. */
    String name();
}
