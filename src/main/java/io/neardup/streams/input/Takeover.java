package io.neardup.streams.input;

import io.neardup.engine.protocol.MigrationSource.Handover;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/**
 * What an index takes over of its predecessor, as it was settled when all coordinators of that were empty.
 *
 * @param ends by coordinator of the predecessor, the offset behind the last record of its changelog that counts
 * @param starts by coordinator of this index, then by input topic: the first offset that it reads
 * @param isSpread whether originals that are taken over may be on other coordinators than later records of their keys
 * @param eventMillis by coordinator of this index, where its event clock begins, 0 where that is not known
 */
public record Takeover(List<Long> ends, List<Map<String, Long>> starts, boolean isSpread, List<Long> eventMillis) {
    public Takeover {
        eventMillis = List.copyOf(eventMillis);
        ends = List.copyOf(ends);
        starts = starts.stream().map(Map::copyOf).toList();
    }

    /**
     * By coordinator, where it begins: where the coordinator of the predecessor has stopped. What is of a partition
     * that had no coordinator there begins with its first offset.
     *
     * @param left by coordinator of the predecessor, then by input topic: the first offset that it did not take
     * @param beginnings of the input, the first record of each partition that is there
     * @param predecessorCoordinators how many the predecessor has
     * @param coordinators of this index
     * @throws IllegalArgumentException if a coordinator of the predecessor has not said of each of its partitions where
     *     it stopped
     */
    public static List<Map<String, Long>> starts(
            Map<Integer, Map<String, Long>> left,
            Map<TopicPartition, Long> beginnings,
            int predecessorCoordinators,
            int coordinators) {
        List<Map<String, Long>> starts = new ArrayList<>();
        IntStream.range(0, coordinators).forEach(coordinator -> starts.add(new HashMap<>()));
        beginnings.forEach((input, beginning) -> {
            int coordinator = input.partition();
            if (coordinator < coordinators) {
                long start = coordinator < predecessorCoordinators ? start(left, input, beginning) : 0;
                starts.get(coordinator).put(input.topic(), start);
            }
        });
        return starts;
    }

    private static long start(Map<Integer, Map<String, Long>> left, TopicPartition input, long beginning) {
        Long offset = left.getOrDefault(input.partition(), Map.of()).get(input.topic());
        if (offset == null) {
            throw new IllegalArgumentException("partition " + input.partition() + " of topic " + input.topic()
                    + ": expected where the predecessor stopped, found nothing");
        }
        return offset == Handover.NOTHING_TAKEN ? beginning : offset;
    }

    /**
     * By coordinator, where its event clock begins: where that of the coordinator of the predecessor stood that it
     * takes originals from. One that takes from all of them begins with the lowest, so that nothing is forgotten sooner
     * than there.
     *
     * @param left by coordinator of the predecessor
     * @param seeding of this index, as {@link Seeding#coordinatorOf} has it
     */
    public static List<Long> eventMillis(Map<Integer, Long> left, Seeding seeding) {
        long lowest = left.values().stream().mapToLong(Long::longValue).min().orElse(0);
        return IntStream.range(0, seeding.coordinators())
                .mapToObj(coordinator -> seeding.predecessorCoordinatorOf(coordinator)
                        .map(before -> left.getOrDefault(before, lowest))
                        .orElse(lowest))
                .toList();
    }
}
