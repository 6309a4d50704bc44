package io.neardup.engine.protocol;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;

/**
 * A document as the protocol sees it.
 *
 * @param id its name for people, not empty; need not be distinct
 * @param keys one bucket key a band
 * @param evidence what its similarity is judged by
 * @param sketch by which the unlike are ruled out without that; none where its family has no such
 */
public record SignedDocument(String id, BandKeys keys, Evidence evidence, BitSketch sketch) {}
