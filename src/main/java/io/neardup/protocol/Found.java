package io.neardup.protocol;

import java.util.List;

/**
 * Who is in the buckets of a document.
 *
 * @param candidates in turns: of those that share as many bands of this partition the one that has been there
 *     longest, for each number of bands, most first; then the next of each
 * @param leftOut how many more there are
 */
public record Found(List<Ref> candidates, int leftOut) {
    public static final Found NOBODY = new Found(List.of(), 0);

    public Found {
        candidates = List.copyOf(candidates);
    }
}
