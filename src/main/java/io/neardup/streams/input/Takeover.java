package io.neardup.streams.input;

import io.neardup.protocol.Handover;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/**
 * What an index takes over of its predecessor, as it was settled when all homes of that were empty.
 *
 * @param ends by home of the predecessor, the offset behind the last record of its changelog that counts
 * @param starts by home of this index, then by input topic: the first offset that it reads
 * @param isSpread whether originals that are taken over may be on other homes than later records of their keys
 * @param eventMillis by home of this index, where its event clock begins; of none in what 0.2.0 has settled
 */
public record Takeover(List<Long> ends, List<Map<String, Long>> starts, boolean isSpread, List<Long> eventMillis) {
    public Takeover {
        eventMillis = eventMillis == null ? List.of() : List.copyOf(eventMillis); // null where JSON has none
        ends = List.copyOf(ends);
        starts = starts.stream().map(Map::copyOf).toList();
    }

    /**
     * By home, where it begins: where the home of the predecessor has stopped. What is of a partition that had no home
     * there begins with its first offset.
     *
     * @param left by home of the predecessor, then by input topic: the first offset that it did not take
     * @param beginnings of the input, the first record of each partition that is there
     * @param homesBefore that the predecessor has
     * @param homes of this index
     * @throws IllegalArgumentException if a home of the predecessor has not said of each of its partitions where it
     *     stopped
     */
    public static List<Map<String, Long>> starts(
            Map<Integer, Map<String, Long>> left, Map<TopicPartition, Long> beginnings, int homesBefore, int homes) {
        List<Map<String, Long>> starts = new ArrayList<>();
        IntStream.range(0, homes).forEach(home -> starts.add(new HashMap<>()));
        beginnings.forEach((input, beginning) -> {
            int home = input.partition();
            if (home < homes) {
                long start = home < homesBefore ? start(left, input, beginning) : 0;
                starts.get(home).put(input.topic(), start);
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
        return offset == Handover.BEGINNING ? beginning : offset;
    }

    /**
     * By home, where its event clock begins: where that of the home of the predecessor stood that it takes originals
     * from. One that takes from all of them begins with the lowest, so that nothing is forgotten sooner than there.
     *
     * @param left by home of the predecessor
     * @param seeding of this index, as {@link Seeding#homeOf} has it
     */
    public static List<Long> eventMillis(Map<Integer, Long> left, Seeding seeding) {
        long lowest = left.values().stream().mapToLong(Long::longValue).min().orElse(0);
        return IntStream.range(0, seeding.homes())
                .mapToObj(home -> seeding.homeBefore(home)
                        .map(before -> left.getOrDefault(before, lowest))
                        .orElse(lowest))
                .toList();
    }

    /** Where the event clock of a home begins; 0 where that is not known. */
    public long eventMillis(int home) {
        return home < eventMillis.size() ? eventMillis.get(home) : 0;
    }

    /** By input topic, where a home begins. */
    public Map<String, Long> starts(int home) {
        return starts.get(home);
    }
}
