package io.neardup.sketch;

/** How the similarity of a candidate is found. */
public enum Verification {
    /** Exactly, on the documents; keeps the canonical texts of the unique documents. */
    EXACT,
    /** Estimated from the signatures; keeps a fixed number of bytes a document. */
    ESTIMATE
}
