package io.neardup.protocol;

/** What a document is whose id is that of an original which came before it on the same home. */
public enum Versions {
    /** As any other: it can be a duplicate of that original. */
    COMPARE,
    /** Unique, whatever it resembles; it takes the place of that original. */
    REPLACE
}
