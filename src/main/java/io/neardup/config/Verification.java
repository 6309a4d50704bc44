package io.neardup.config;

/** How the similarity of a candidate is found. */
public enum Verification {
    /** Jaccard of the shingle sets; keeps the canonical texts of the unique documents. */
    EXACT,
    /** Estimated from the signatures; keeps a fixed number of bytes a document. */
    ESTIMATE
}
