package io.neardup.streams.store;

import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import io.neardup.streams.input.InputGenerations;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What coordinators have taken of their inputs and not released, as the changelog of their progress says. To be
 * given all records of the changelog, each partition in order.
 */
public final class UnreleasedInput {
    /** By coordinator and the name of a topic's generation. */
    private final Map<Integer, Map<String, InputPosition>> positions = new TreeMap<>();

    /**
     * Records of a partition that have not left.
     *
     * @param name of the topic's generation
     * @param firstOffset of the first of them
     * @param recordsMax how many they are at the most
     */
    public record Unreleased(String name, int partition, long firstOffset, long recordsMax) {
        public String topic() {
            return InputGenerations.topicOf(name);
        }
    }

    /** Takes the next record of a partition of the changelog; a value of null removes what was under the key. */
    public void apply(int partition, byte[] key, byte @Nullable [] value) {
        if (key[0] == StateKeys.POSITION && value != null) { // None is ever removed.
            positions
                    .computeIfAbsent(partition, p -> new TreeMap<>())
                    .put(StateKeys.topicOf(key), StateCodec.POSITION.decode(value));
        }
    }

    /** By name, then by partition. */
    public List<Unreleased> unreleased() {
        List<Unreleased> found = new ArrayList<>();
        positions.forEach((partition, ofTopics) -> ofTopics.forEach((name, position) -> {
            if (position.isHeld()) {
                long recordsMax = position.readEnd() - position.offset();
                found.add(new Unreleased(name, partition, position.offset(), recordsMax));
            }
        }));
        found.sort(Comparator.comparing(Unreleased::name).thenComparing(Unreleased::partition));
        return found;
    }
}
