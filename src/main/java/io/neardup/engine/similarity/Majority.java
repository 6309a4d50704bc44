package io.neardup.engine.similarity;

import io.neardup.engine.text.Shingles;

/**
 * The majority of the features' bits in each of 64 columns: a one adds the weight of its feature, a zero subtracts it.
 */
interface Majority {
    /** Looks up the features' weights, if they have any, once for all counts that follow. */
    default void weigh(Shingles features) {}

    /** Counts anew: one word a feature, in the features' order. */
    void count(long[] words, int count);

    /** The columns in which the ones outweigh the zeros. */
    long positive();

    /** The columns in which neither outweighs the other. */
    long tied();
}
