package io.neardup.streams.input;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/**
 * The index that another one is made from.
 *
 * @param index its id, which no other index has
 * @param homes that it has
 * @param topic its changelog of originals
 * @param topicId of this topic alone
 * @param isSpread whether its originals may be on other homes than later records of their keys, as it took them over of
 *     an index of fewer homes, or of one of which that is so
 */
public record Predecessor(
        String applicationId, String index, int homes, String topic, String topicId, boolean isSpread) {

    /** Its homes, each by its changelog of originals. */
    public List<TopicPartition> partitions() {
        return IntStream.range(0, homes)
                .mapToObj(home -> new TopicPartition(topic, home))
                .toList();
    }

    /** Whether in an index made from it originals may be on other homes than later records of their keys. */
    public boolean isSpreadOver(int homesAfter) {
        return isSpread || homes != homesAfter;
    }
}
