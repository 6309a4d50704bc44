package io.neardup.service.lifecycle;

import java.util.List;

/**
 * A duplicate beside its original.
 *
 * @param similarity as the service found it
 * @param passages the original, first, and the duplicate; none where the original's text is not at hand
 */
public record TextPair(String id, String originalId, double similarity, List<Passage> passages) {
    public TextPair {
        passages = List.copyOf(passages);
    }
}
