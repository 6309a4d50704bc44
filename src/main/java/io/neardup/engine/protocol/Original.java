package io.neardup.engine.protocol;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;

/**
 * What the index keeps of a unique document, for later documents to be judged against, and to find it when it has to
 * go.
 *
 * @param origin its timestamp is not ahead of the event time of its coordinator at its arrival, but for seeds and what
 *     was taken over
 * @param keys where it is in the buckets
 */
public record Original(String id, Origin origin, BandKeys keys, Evidence evidence, BitSketch sketch) {
    /** It without its evidence, under its name. */
    public CoordinatorState.Entry entry(DocumentRef ref) {
        return new CoordinatorState.Entry(ref, id, origin, keys, evidence.bytes().length);
    }
}
