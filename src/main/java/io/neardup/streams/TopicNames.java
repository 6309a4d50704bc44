package io.neardup.streams;

import java.util.List;
import java.util.stream.Stream;

/** The topics that belong to the service itself. */
public record TopicNames(String applicationId) {

    /** Homes to band partitions; one partition a band partition. */
    public String lookups() {
        return applicationId + "-lookups";
    }

    /** Band partitions and homes to homes; as many partitions as the input. */
    public String replies() {
        return applicationId + "-replies";
    }

    /** What the stores are restored from; Kafka Streams names and makes them. */
    public List<String> changelogs() {
        return Stream.of(DedupTopology.PROGRESS, DedupTopology.ORIGINALS, DedupTopology.BUCKETS)
                .map(store -> applicationId + "-" + store + "-changelog")
                .toList();
    }

    /** What the index was made with. */
    public String settings() {
        return applicationId + "-settings";
    }
}
