package io.neardup.protocol;

import io.neardup.lsh.BandKeys;
import io.neardup.sketch.Evidence;

/**
 * A document as the protocol sees it.
 *
 * @param id its name for people, not empty; need not be distinct
 * @param keys one bucket key a band
 * @param evidence what its similarity is judged by
 */
public record SignedDocument(String id, BandKeys keys, Evidence evidence) {}
