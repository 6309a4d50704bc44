package io.neardup.engine.protocol;

/** A bound that can make the service leave out candidates of a document. */
public enum Bound {
    /** One of its buckets was full: documents that the bucket refused are not found there. */
    BUCKET,
    /** It had more candidates than an index partition names, or than a document asks about. */
    CANDIDATES,
    /** A coordinator was asked about more likely candidates than it verifies. */
    RANK
}
