package io.neardup.tools.analysis;

import io.neardup.engine.text.ShingleSet;

/** The shingles of numbered documents. They can be asked for again, so that they need not be kept. */
interface ShingleSource {
    /** Documents, numbered from 0. */
    int documents();

    /** No fewer than all documents have together. */
    long shinglesMax();

    /** The shingles of a document, which may be none. */
    ShingleSet shingles(int document);
}
