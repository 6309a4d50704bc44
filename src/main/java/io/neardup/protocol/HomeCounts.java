package io.neardup.protocol;

/**
 * What else a home counted since its start.
 *
 * @param askedAgain pending documents that asked again, as no answer had come
 * @param expired originals whose retention was over
 * @param forgotten originals that expired, were taken back, replaced or withdrawn
 */
public record HomeCounts(long askedAgain, long expired, long forgotten) {}
