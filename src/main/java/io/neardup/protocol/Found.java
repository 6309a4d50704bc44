package io.neardup.protocol;

import java.util.List;

/**
 * Who is in the buckets of a document.
 *
 * @param candidates most shared bands first
 * @param leftOut how many more there are
 */
public record Found(List<Candidate> candidates, int leftOut) {
    public static final Found NOBODY = new Found(List.of(), 0);

    public Found {
        candidates = List.copyOf(candidates);
    }
}
