package io.neardup.engine.protocol;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.Message.Found;

/**
 * The buckets of one index partition. Keys are those of the bands that the partition owns. What changes is seen at
 * once; it survives a crash with the transaction it belongs to, all of it or nothing.
 */
public interface BandState {

    /**
     * The other documents in these buckets.
     *
     * @param max how many at the most; the rest is truncated and counted
     */
    Found find(DocumentRef document, BandKeys keys, int max);

    /**
     * Puts the document into those of its buckets that it is not in; a full one does not take it. Where it comes again
     * and is taken by one that was full before, it counts as new in all of them.
     */
    void insert(DocumentRef document, BandKeys keys);

    /** Takes the document out; nothing happens if it is not there. */
    void remove(DocumentRef document, BandKeys keys);

    /**
     * Takes the document out of those of its buckets that these are; it stays in the others. A crash may put it back.
     *
     * @param keys of another document
     */
    void drop(DocumentRef document, BandKeys keys);
}
