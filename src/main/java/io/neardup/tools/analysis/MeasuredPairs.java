package io.neardup.tools.analysis;

import io.neardup.engine.text.Shingling;

/** Pairs of documents, the same for each shingle that they are measured by. Safe for use by several threads. */
interface MeasuredPairs {
    /** Documents that are compared with all others. */
    int askers();

    /** Why these are not all documents. */
    AskerBound bound();

    /** Whether texts are so long that a sample of their shingles is compared. */
    boolean isSampling();

    /** Pairs that are measured, or that the measured ones stand for: those of which one is an asker. */
    long pairs();

    /** Measures all of them. */
    MeasuredShingle measure(Shingling shingling);

    /** A document of a pair that was given as an example. */
    ComparedText document(int number);
}
