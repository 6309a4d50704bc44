package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Message.ToBands;
import io.neardup.engine.protocol.Message.ToChecker;
import io.neardup.engine.protocol.Message.ToCoordinator;

/**
 * Where a coordinator puts what it sends. Messages to one receiver keep their order, but for those to all coordinators.
 *
 * @param <P> what leaves with the decision, carried unchanged
 */
public interface Outbox<P> {
    void toBands(int indexPartition, ToBands message);

    void toCoordinator(int coordinator, ToCoordinator message);

    /** To each coordinator, its own too. */
    void toAllCoordinators(ToCoordinator message);

    /** To who checks a document from outside. */
    void toChecker(ToChecker message);

    /**
     * A record leaves, in the order of arrival.
     *
     * @param ref its name
     * @return whether it left as decided; if not, it left as one that is not judged
     */
    boolean release(DocumentRef ref, P payload, Decision decision);
}
