package io.neardup.engine.protocol;

import java.util.Map;

/**
 * What a coordinator leaves to the index that takes its input over.
 *
 * @param request that it heeds
 * @param positions by topic, the offset of the first record that is left, or {@link #BEGINNING}
 * @param isEmpty whether it has told that all before has left
 */
public record Handover(String request, Map<String, Long> positions, boolean isEmpty) {
    /** The first record that is there: of a topic of which none was ever taken. */
    public static final long BEGINNING = -1;

    public Handover {
        positions = Map.copyOf(positions);
    }
}
