package io.neardup.streams.store;

import io.neardup.config.NeardupConfig;
import io.neardup.streams.input.Predecessor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/** The topics that belong to the service itself. */
public record TopicNames(String applicationId) {

    /** All that there may be, the settings last, which say where the rest of an index is. */
    public List<String> all() {
        return all(List.of(lookups(), replies(), checks(), seeds(), storyEvents()), changelogs());
    }

    /** Those that a service of these settings needs, the settings last. */
    public List<String> all(NeardupConfig config) {
        return all(inFlight(config), changelogs(config));
    }

    private List<String> all(List<String> inFlight, List<String> changelogs) {
        return Stream.of(inFlight, changelogs, List.of(settings()))
                .flatMap(List::stream)
                .toList();
    }

    /** Those of what is on its way, which keep nothing for later. */
    public List<String> inFlight(NeardupConfig config) {
        List<String> inFlight = new ArrayList<>(List.of(lookups(), replies(), checks()));
        if (hasSeeds(config)) {
            inFlight.add(seeds());
        }
        if (config.writesStories()) {
            inFlight.add(storyEvents());
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

    /** Answers to those who check a document; one partition, which every instance reads. */
    public String checks() {
        return applicationId + "-checks";
    }

    public static boolean hasSeeds(NeardupConfig config) {
        return !config.seedTopics().isEmpty() || config.successorOf().isPresent();
    }

    /** The changelog of the stories of a predecessor, where a service of these settings follows them; else none. */
    public static List<TopicPartition> predecessorStories(Optional<Predecessor> predecessor, NeardupConfig config) {
        if (predecessor.isEmpty()
                || !config.writesStories()
                || config.successorOf().isEmpty()) {
            return List.of();
        }
        String changelog = new TopicNames(predecessor.get().applicationId()).storiesChangelog();
        return IntStream.range(0, predecessor.get().storyPartitions())
                .mapToObj(partition -> new TopicPartition(changelog, partition))
                .toList();
    }

    /** Documents of seeds, or originals of a predecessor, to their coordinators; as many partitions as the input. */
    public String seeds() {
        return applicationId + "-seeds";
    }

    /** Coordinators to who keeps the stories; one partition an index partition. */
    public String storyEvents() {
        return applicationId + "-story-events";
    }

    /** What the stores may be restored from, by the names that Kafka Streams gives them. */
    public List<String> changelogs() {
        return List.of(progressChangelog(), originalsChangelog(), bucketsChangelog(), storiesChangelog());
    }

    /** Those of a service of these settings. */
    public List<String> changelogs(NeardupConfig config) {
        return changelogs().stream()
                .filter(topic -> config.writesStories() || !topic.equals(storiesChangelog()))
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

    /** The changelog of the stories, one partition an index partition. */
    public String storiesChangelog() {
        return changelog(NodeNames.STORIES);
    }

    String changelog(String store) {
        return applicationId + "-" + store + "-changelog";
    }

    /** What the index was made with. */
    public String settings() {
        return applicationId + "-settings";
    }
}
