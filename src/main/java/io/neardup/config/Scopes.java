package io.neardup.config;

/** What the scopes of documents mean. */
public enum Scopes {
    /** All documents are compared. */
    IGNORED,
    /** Documents are compared within their scopes only. */
    APART
}
