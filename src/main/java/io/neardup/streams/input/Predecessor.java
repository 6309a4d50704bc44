package io.neardup.streams.input;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/**
 * The index that another one is made from.
 *
 * @param index its id, which no other index has
 * @param coordinators that it has
 * @param topic its changelog of originals
 * @param topicId of this topic alone
 * @param isSpread whether its originals may be on other coordinators than later records of their keys, as it took them
 *     over of an index of fewer coordinators, or of one of which that is so
 * @param seeds that its originals may be of, those of an index before it too
 * @param seedEnds by coordinator, then by seed: above the numbers of the seed's documents there, at most that of any
 *     later one
 * @param storyPartitions of the changelog of its stories, which are taken over; 0 where none are
 */
public record Predecessor(
        String applicationId,
        String index,
        int coordinators,
        String topic,
        String topicId,
        boolean isSpread,
        SeedPlan seeds,
        List<Map<String, Long>> seedEnds,
        int storyPartitions) {

    public Predecessor {
        seedEnds = seedEnds.stream().map(Map::copyOf).toList();
    }

    /** Its coordinators, each by its changelog of originals. */
    public List<TopicPartition> partitions() {
        return IntStream.range(0, coordinators)
                .mapToObj(coordinator -> new TopicPartition(topic, coordinator))
                .toList();
    }

    /** Whether in an index made from it originals may be on other coordinators than later records of their keys. */
    public boolean isSpreadOver(int coordinatorsAfter) {
        return isSpread || coordinators != coordinatorsAfter;
    }
}
