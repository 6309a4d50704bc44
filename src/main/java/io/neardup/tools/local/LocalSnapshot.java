package io.neardup.tools.local;

import java.time.Duration;

/**
 * How far a local run is.
 *
 * @param published lines read so far
 * @param elapsed since the first line
 * @param documentsPerSecond that came out over the last few seconds
 */
public record LocalSnapshot(
        long published, long unique, long duplicates, long deadLetters, Duration elapsed, double documentsPerSecond) {

    /** Documents that came out on any output. */
    public long decided() {
        return unique + duplicates + deadLetters;
    }
}
