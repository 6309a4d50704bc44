package io.neardup.analysis;

import java.util.List;

/**
 * What similarity and settings make of the pairs that people call duplicates. All other pairs count as no duplicates.
 *
 * @param pairs that people call duplicates, both documents being there
 * @param unknown lines that name a document that is not there
 * @param selfPairs lines that name one document twice; no pairs
 * @param belowFloor pairs that people call duplicates and whose similarity is below the floor: all thresholds miss them
 * @param similar how well the pairs at or above the configured threshold fit, whether they meet or not
 * @param verified how well those fit that the settings find and verify
 * @param best the threshold of the highest F1, in steps of 0.001
 * @param sweep all of these thresholds from 1 down to the floor
 */
public record LabelReport(
        long pairs,
        long unknown,
        long selfPairs,
        long belowFloor,
        Score similar,
        Score verified,
        AtThreshold best,
        List<AtThreshold> sweep) {
    public LabelReport {
        sweep = List.copyOf(sweep);
    }
}
