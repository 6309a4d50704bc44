package io.neardup.engine.similarity;

/**
 * How many shingles texts were cut into.
 *
 * @param cut repeats and those that do not count included
 * @param leftOut of these the common ones, which do not count; of long texts by a sample
 */
public record ShingleTotals(long cut, long leftOut) {
    public static final ShingleTotals NONE = new ShingleTotals(0, 0);
}
