package io.neardup.tools.analysis;

import java.util.ArrayList;
import java.util.List;

/**
 * What similarity and settings make of what people say. Where all pairs are judged, those that people do not call
 * duplicates count as none; else only those that are judged count.
 *
 * @param labels what people say
 * @param verified how well the pairs fit that the settings find and verify
 * @param settings by the shingle of the settings
 * @param others by each other shingle that was tried, and by the same without boilerplate
 * @param leftOut shingles by which too many pairs are alike to compare them all
 */
public record LabelReport(
        Labels labels, Score verified, ShingleScores settings, List<ShingleScores> others, List<String> leftOut) {
    /** By all shingles, that of the settings first. */
    public List<ShingleScores> all() {
        List<ShingleScores> all = new ArrayList<>(List.of(settings));
        all.addAll(others);
        return all;
    }

    /** The shingle of the highest F1 at its best threshold; of equal ones the first. */
    public ShingleScores best() {
        ShingleScores best = settings;
        for (ShingleScores scores : others) {
            best = scores.best().score().f1() > best.best().score().f1() ? scores : best;
        }
        return best;
    }
}
