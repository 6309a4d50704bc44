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

    /** Answers to those who check a document from outside; one partition, which every instance reads. */
    public String checks() {
        return applicationId + "-checks";
    }

    /** Documents of seeds to their homes; as many partitions as the input. */
    public String seeds() {
        return applicationId + "-seeds";
    }

    /** What the stores are restored from, by the names that Kafka Streams gives them. */
    public List<String> changelogs() {
        return Stream.of(NodeNames.PROGRESS, NodeNames.ORIGINALS, NodeNames.BUCKETS)
                .map(this::changelog)
                .toList();
    }

    /** The changelog of where the homes stand, one partition each. */
    public String progressChangelog() {
        return changelog(NodeNames.PROGRESS);
    }

    /** The changelog of the band partitions, one partition each. */
    public String bucketsChangelog() {
        return changelog(NodeNames.BUCKETS);
    }

    /** The changelog of a store. */
    String changelog(String store) {
        return applicationId + "-" + store + "-changelog";
    }

    /** What the index was made with. */
    public String settings() {
        return applicationId + "-settings";
    }
}
