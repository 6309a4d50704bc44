package io.neardup.protocol;

/**
 * A document that shares buckets with another; nothing is proven yet.
 *
 * @param bandsShared in how many bands, at least 1
 */
public record Candidate(Ref ref, int bandsShared) {}
