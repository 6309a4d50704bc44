package io.neardup.protocol;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a home must find again after a crash. Each call of a {@link DocumentHome} is one step: its changes here and its
 * messages take effect together or not at all.
 *
 * <p>What it holds is not here: it is read again from the input, from the first record on that has not left.
 */
public interface HomeState {

    /** Counts a start of this home; each start gets a number greater than all before. */
    int raiseAttempt();

    void begin(NumberBlock block);

    void forget(NumberBlock block);

    /** The blocks begun and not forgotten, in the order of their sequence numbers. */
    List<NumberBlock> blocks();

    /** Notes that all records of a topic before an offset have left. */
    void left(String topic, long nextOffset);

    /** By topic, the offset before which all have left; without the topics of which none has. */
    Map<String, Long> left();

    /** Notes a decision that cannot leave yet. A unique one needs no note: it is an original. */
    void decide(Ref document, Decision.Duplicate decision);

    Optional<Decision.Duplicate> decision(Ref document);

    /** Forgets a decision noted. */
    void forgetDecision(Ref document);

    void addOriginal(Ref document, Original original);

    Optional<Original> original(Ref document);
}
