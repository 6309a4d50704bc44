package io.neardup.sketch;

import io.neardup.text.Shingles;

/** What most features say in each of 64 columns: a one votes for the weight of its feature, a zero against it. */
interface Majority {
    /** Looks up the features' weights, where they have any, once for all the counts that follow. */
    default void weigh(Shingles features) {}

    /** Counts anew: one word a feature, in the features' order. */
    void count(long[] words, int count);

    /** The columns in which the ones outweigh the zeros. */
    long positive();

    /** The columns in which neither outweighs the other. */
    long tied();
}
