package io.neardup.streams.store;

import io.neardup.config.NeardupConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The topics that belong to the service itself. */
public record TopicNames(String applicationId) {

    /**
     * All of them, the settings last, which say where the rest of an index is.
     *
     * @param seeded whether that of the seeds is one of them
     */
    public List<String> all(boolean seeded) {
        List<String> all = new ArrayList<>(inFlight(seeded));
        all.addAll(changelogs());
        all.add(settings());
        return all;
    }

    /** Those of what is on its way, which keep nothing for later. */
    public List<String> inFlight(boolean seeded) {
        List<String> inFlight = new ArrayList<>(List.of(lookups(), replies(), checks()));
        if (seeded) {
            inFlight.add(seeds());
        }
        return inFlight;
    }

    /** Coordinators to index partitions; one partition an index partition. */
    public String lookups() {
        return applicationId + "-lookups";
    }

    /** Index partitions and coordinators to coordinators; as many partitions as the input. */
    public String replies() {
        return applicationId + "-replies";
    }

    /** Answers to those who check a document from outside; one partition, which every instance reads. */
    public String checks() {
        return applicationId + "-checks";
    }

    /** Whether there is a topic of {@link #seeds()}. */
    public static boolean hasSeeds(NeardupConfig config) {
        return !config.seedTopics().isEmpty() || config.successorOf().isPresent();
    }

    /** Documents of seeds, or originals of a predecessor, to their coordinators; as many partitions as the input. */
    public String seeds() {
        return applicationId + "-seeds";
    }

    /** What the stores are restored from, by the names that Kafka Streams gives them. */
    public List<String> changelogs() {
        return Stream.of(NodeNames.PROGRESS, NodeNames.ORIGINALS, NodeNames.BUCKETS)
                .map(this::changelog)
                .toList();
    }

    /** The changelog of where the coordinators stand, one partition each. */
    public String progressChangelog() {
        return changelog(NodeNames.PROGRESS);
    }

    /** The changelog of the originals of coordinators, one partition each. */
    public String originalsChangelog() {
        return changelog(NodeNames.ORIGINALS);
    }

    /** The changelog of the index partitions, one partition each. */
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
