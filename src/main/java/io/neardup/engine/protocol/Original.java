package io.neardup.engine.protocol;

import io.neardup.engine.similarity.Similarity;

/**
 * What the index keeps of a unique document: to compare later documents with, and to find it when it has to be removed.
 *
 * @param origin its timestamp is not ahead of the event time of its coordinator at its arrival, but for seeds and what
 *     was taken over
 */
public record Original(SignedDocument document, Origin origin) {
    Message.Neighbour neighbour(DocumentRef ref, Similarity similarity) {
        return new Message.Neighbour(ref, document.id(), origin.provenance(), similarity, false);
    }

    public CoordinatorState.Entry entry(DocumentRef ref) {
        return new CoordinatorState.Entry(
                ref, document.id(), origin, document.keys(), document.evidence().bytes().length);
    }
}
