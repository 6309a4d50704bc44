package io.neardup.engine.protocol;

/** What becomes of a document with the id of an earlier original of its coordinator. */
public enum Versions {
    /** It is judged as any other, and can be a duplicate of that original. */
    COMPARE,
    /** It is unique, whatever it resembles, and takes the place of that original. */
    REPLACE
}
