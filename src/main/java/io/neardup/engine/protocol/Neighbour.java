package io.neardup.engine.protocol;

import io.neardup.engine.similarity.Similarity;
import java.util.Comparator;

/**
 * A document of the index that a checked one was compared with.
 *
 * @param id its document id
 * @param similarity of the checked document, first, and this one
 * @param isPending whether it is not decided yet: it may turn out a duplicate
 */
public record Neighbour(DocumentRef ref, String id, Similarity similarity, boolean isPending) {
    /** The most similar first, of equally similar ones the first by ref. */
    static final Comparator<Neighbour> NEAREST_FIRST = Comparator.comparingDouble(
                    (Neighbour neighbour) -> -neighbour.similarity().value())
            .thenComparing(Neighbour::ref);
}
