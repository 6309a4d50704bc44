package io.neardup.service.cluster;

import io.neardup.config.IndexSettings;
import io.neardup.config.NeardupConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * What the settings topic holds of an index.
 *
 * @param id distinct for each index ever made
 * @param settings that it is bound to
 * @param release that made it
 * @param hashSeed secret
 * @param topics that it has met
 * @param seeds by topic that it, or an index before it, is seeded with, the end of each partition
 * @param seedsJudged whether documents of seeds were compared with each other, or are of a predecessor: which of them
 *     are originals is not known then
 */
public record StoredIndex(
        String id,
        IndexSettings settings,
        String release,
        long hashSeed,
        KnownTopics topics,
        Map<String, List<Long>> seeds,
        boolean seedsJudged) {

    /**
     * Refuses other settings than the index was made with, layouts aside: what they would find is not what the service
     * found.
     *
     * @throws StartupException that names what differs
     */
    public void requireFits(NeardupConfig config, int inputPartitions) {
        IndexSettings now = IndexSettings.of(config, inputPartitions, Map.of());
        List<String> differences = new ArrayList<>(now.differences(settings));
        if (!differences.isEmpty()) {
            differences.add("The index of application.id " + config.applicationId()
                    + " does not fit these settings: give those that the service runs with (--config, --set).");
            throw new StartupException(differences);
        }
    }

    /** Of a partition of a changelog: distinct among all of all indexes, wherever they are. */
    public String changelogName(TopicPartition partition) {
        String topic = topics.id(partition.topic()).orElseThrow();
        return id + "/" + topic + "/" + partition.partition();
    }

    /** When it has met these. */
    public StoredIndex with(KnownTopics known) {
        return new StoredIndex(id, settings, release, hashSeed, known, seeds, seedsJudged);
    }

    /** The seed is a secret. */
    @Override
    public String toString() {
        return "StoredIndex[" + id + "]";
    }
}
