package io.neardup.engine.similarity;

/** How the similarity of a candidate is found. */
public enum Verification {
    /** Exactly, from the texts. The normalized text of each unique document is kept. */
    EXACT,
    /** Estimated, from the signatures. A fixed number of bytes is kept for each unique document. */
    ESTIMATE
}
