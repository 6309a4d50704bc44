package io.neardup.protocol;

/**
 * A document that arrived and was not yet released, as a home finds it again after a start.
 *
 * @param <P> what leaves with the decision, carried unchanged
 */
public sealed interface Held<P> {
    Ref ref();

    P payload();

    record Pending<P>(Ref ref, long arrivalMillis, SignedDocument document, P payload) implements Held<P> {}

    /** Decided, and waiting for an earlier one to be released. */
    record Decided<P>(Ref ref, Decision decision, P payload) implements Held<P> {}
}
