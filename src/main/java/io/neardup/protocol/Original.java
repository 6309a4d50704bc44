package io.neardup.protocol;

import io.neardup.lsh.BandKeys;
import io.neardup.sketch.BitSketch;
import io.neardup.sketch.Evidence;

/**
 * What the index keeps of a unique document, for later documents to be judged against, and to find it when it has to
 * go.
 *
 * @param origin its timestamp is never ahead of the event time of its home at its arrival
 * @param keys where it is in the buckets
 */
public record Original(String id, Origin origin, BandKeys keys, Evidence evidence, BitSketch sketch) {
    /** It without its evidence, under its name. */
    public HomeState.Entry entry(Ref ref) {
        return new HomeState.Entry(ref, id, origin, keys, evidence.bytes().length);
    }
}
