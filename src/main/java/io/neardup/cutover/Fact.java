package io.neardup.cutover;

import java.util.Map;

/**
 * What is noted of a cutover in the settings topic of the index that hands its input over. That topic has one
 * partition, so that all who read it meet the facts in one order; {@link Cutover} says what follows from them.
 */
public sealed interface Fact {

    /** Of which request it is; distinct for each ever made. */
    String request();

    /**
     * Somebody asks that another index takes the input over.
     *
     * @param successor the application.id of that index
     * @param homes how many the index has that hands over
     * @param isSpread whether these tell each other what to forget, as originals may be on other homes than later
     *     records of their keys
     */
    record Asked(String request, String successor, int homes, boolean isSpread) implements Fact {
        public Asked {
            if (homes < 1) {
                throw new IllegalArgumentException("homes: expected at least 1, found " + homes);
            }
        }
    }

    /**
     * Somebody undoes the request.
     *
     * @param by of this record alone: no two may share a key, as compaction would keep the later one
     */
    record Undone(String request, String by) implements Fact {}

    /**
     * A home takes no record any more. Noted in the transaction in which it stops.
     *
     * @param positions by input topic, in the name of its generation, the offset of the first record that it leaves to
     *     the successor, or {@link #BEGINNING}
     */
    record Fixed(String request, int home, Map<String, Long> positions) implements Fact {
        /** The first record that is there: of a topic of which the home never took one. */
        public static final long BEGINNING = -1;

        public Fixed {
            positions = Map.copyOf(positions);
        }
    }

    /**
     * All that a home took has left, and its originals stay as they are. Noted in the transaction of the last.
     *
     * @param eventMillis where its event clock stands, from which the successor goes on; 0 if it had too few documents
     *     to tell, or is of a release that does not
     */
    record Empty(String request, int home, long eventMillis) implements Fact {}

    /**
     * A home has done what others told it to forget, until all were empty. Of those that tell each other; noted in the
     * transaction of the last.
     */
    record Flushed(String request, int home) implements Fact {}
}
