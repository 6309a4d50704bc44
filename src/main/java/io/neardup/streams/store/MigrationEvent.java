package io.neardup.streams.store;

import java.util.Map;

/**
 * What is noted of a cutover in the settings topic of the index that hands its input over. That topic has one
 * partition, so that all who read it meet the facts in one order; {@link Cutover} says what follows from them.
 */
public sealed interface MigrationEvent {

    /** Of which request it is; distinct for each ever made. */
    String request();

    /**
     * Somebody asks that another index takes the input over.
     *
     * @param successor the application.id of that index
     * @param coordinators how many the index has that hands over
     * @param isSpread whether these tell each other what to forget, as originals may be on other coordinators than
     *     later records of their keys
     */
    record Asked(String request, String successor, int coordinators, boolean isSpread) implements MigrationEvent {
        public Asked {
            if (coordinators < 1) {
                throw new IllegalArgumentException("coordinators: expected at least 1, found " + coordinators);
            }
        }
    }

    /**
     * Somebody undoes the request.
     *
     * @param by of this record alone: no two may share a key, as compaction would keep the later one
     */
    record Undone(String request, String by) implements MigrationEvent {}

    /**
     * A coordinator takes no record any more. Noted in the transaction in which it stops.
     *
     * @param positions by input topic, in the name of its generation, the offset of the first record that it leaves to
     *     the successor, or {@link #BEGINNING}
     */
    record Fixed(String request, int coordinator, Map<String, Long> positions) implements MigrationEvent {
        /** The first record that is there: of a topic of which the coordinator never took one. */
        public static final long BEGINNING = -1;

        public Fixed {
            positions = Map.copyOf(positions);
        }
    }

    /**
     * All that a coordinator took has left, and its originals stay as they are. Noted in the transaction of the last.
     *
     * @param eventMillis where its event clock stands, from which the successor goes on; 0 if it had too few documents
     *     to tell, or is of a release that does not
     */
    record Empty(String request, int coordinator, long eventMillis) implements MigrationEvent {}

    /**
     * A coordinator has done what others told it to forget, until all were empty. Of those that tell each other; noted
     * in the transaction of the last.
     */
    record Flushed(String request, int coordinator) implements MigrationEvent {}
}
