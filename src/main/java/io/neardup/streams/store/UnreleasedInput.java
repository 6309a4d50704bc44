package io.neardup.streams.store;

import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import io.neardup.engine.protocol.SequenceAllocator.SequenceBlock;
import io.neardup.streams.input.InputGenerations;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What coordinators have taken of their inputs and not released, as the changelog of their progress says. To be
 * given all records of the changelog, each partition in order.
 */
public final class UnreleasedInput {
    private final Map<Integer, Coordinator> coordinators = new TreeMap<>();

    private static final class Coordinator {
        private final Map<String, InputPosition> positions = new TreeMap<>();
        private final Map<Long, SequenceBlock> blocks = new HashMap<>();

        void apply(byte[] key, byte @Nullable [] value) {
            if (key[0] == StateKeys.POSITION) {
                set(positions, StateKeys.topicOf(key), value == null ? null : StateCodec.POSITION.decode(value));
            } else if (key[0] == StateKeys.BLOCK) {
                set(blocks, StateKeys.numberOf(key), value == null ? null : StateCodec.BLOCK.decode(value));
            }
        }

        private static <K, V> void set(Map<K, V> map, K key, @Nullable V value) {
            if (value == null) {
                map.remove(key);
            } else {
                map.put(key, value);
            }
        }

        /** The last block of a topic says how far it may have been read. */
        long endOffset(String name, long offset) {
            return blocks.values().stream()
                    .filter(block -> block.topic().equals(name))
                    .mapToLong(SequenceBlock::endOffset)
                    .max()
                    .orElse(offset);
        }
    }

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
        coordinators.computeIfAbsent(partition, p -> new Coordinator()).apply(key, value);
    }

    /** By name, then by partition. */
    public List<Unreleased> unreleased() {
        List<Unreleased> found = new ArrayList<>();
        coordinators.forEach((partition, coordinator) -> coordinator.positions.forEach((name, position) -> {
            if (position.held()) {
                long recordsMax = coordinator.endOffset(name, position.offset()) - position.offset();
                found.add(new Unreleased(name, partition, position.offset(), recordsMax));
            }
        }));
        found.sort(Comparator.comparing(Unreleased::name).thenComparing(Unreleased::partition));
        return found;
    }
}
