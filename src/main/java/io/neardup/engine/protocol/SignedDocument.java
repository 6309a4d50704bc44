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
 * @param sketch ranks candidates, and may rule them out, without reading evidence; {@link BitSketch#NONE} if the family
 *     makes none
 */
public record SignedDocument(String id, BandKeys keys, Evidence evidence, BitSketch sketch) {}
