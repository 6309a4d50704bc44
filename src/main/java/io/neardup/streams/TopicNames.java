package io.neardup.streams;

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

    /** What the index was made with. */
    public String settings() {
        return applicationId + "-settings";
    }
}
