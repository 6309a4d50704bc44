package io.neardup.protocol;

import java.util.List;
import java.util.Optional;

/**
 * What a home must find again after a crash. Each call of a {@link DocumentHome} is one step: its changes here and its
 * messages take effect together or not at all.
 *
 * @param <P> what leaves with the decision, carried unchanged
 */
public interface HomeState<P> {

    /** Counts a start of this home; each start gets a number greater than all before. */
    int raiseAttempt();

    /** The next sequence number: never given before, rising, also across starts; gaps are allowed. */
    long nextSequence();

    void hold(Held<P> held);

    /** Notes the decision of a held document that cannot be released yet. */
    void decide(Ref document, Decision decision);

    /** Forgets a held document. */
    void release(Ref document);

    /** All that is held, in the order of arrival. */
    List<Held<P>> held();

    void addOriginal(Ref document, Original original);

    Optional<Original> original(Ref document);
}
