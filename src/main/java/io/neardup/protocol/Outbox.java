package io.neardup.protocol;

import io.neardup.protocol.Message.ToBands;
import io.neardup.protocol.Message.ToChecker;
import io.neardup.protocol.Message.ToHome;

/**
 * Where a home puts what it sends. Messages to one receiver keep their order, but for those to all homes.
 *
 * @param <P> what leaves with the decision, carried unchanged
 */
public interface Outbox<P> {
    void toBands(int bandPartition, ToBands message);

    void toHome(int home, ToHome message);

    /** To each home, its own too. */
    void toAllHomes(ToHome message);

    /** To who checks a document from outside. */
    void toChecker(ToChecker message);

    /**
     * A record leaves, in the order of arrival.
     *
     * @param ref its name
     * @return whether it left as decided; if not, it left as one that is not judged
     */
    boolean release(Ref ref, P payload, Decision decision);
}
