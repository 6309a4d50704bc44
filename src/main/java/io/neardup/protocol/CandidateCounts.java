package io.neardup.protocol;

/**
 * What a home counted of candidates since its start.
 *
 * @param dropped left out, as a document or a question had too many
 * @param outranked how many of these were likely matches by their sketches, but others of the same question were
 *     likelier
 * @param unlike dropped by their sketches or outlines
 * @param verified compared with who asked, by their evidence
 * @param sketches of originals that are at hand now
 * @param sketchBytes heap that these and outlines take
 */
public record CandidateCounts(
        long dropped, long outranked, long unlike, long verified, int sketches, long sketchBytes) {}
