package io.neardup.streams.input;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an index is seeded with, as it was settled when the index was made.
 *
 * @param topics in the order in which they are read; none where there is no seed
 * @param judged whether their documents are compared with each other
 */
public record SeedPlan(List<Topic> topics, boolean judged) {
    public static final SeedPlan NONE = new SeedPlan(List.of(), false);

    public SeedPlan {
        topics = List.copyOf(topics);
    }

    /**
     * A seed.
     *
     * @param id of this topic alone: one that is recreated under its name has another
     * @param ends by partition, the offset behind the last record that belongs to it
     */
    public record Topic(String name, String id, List<Long> ends) {
        public Topic {
            ends = List.copyOf(ends);
        }
    }

    public List<String> names() {
        return topics.stream().map(Topic::name).toList();
    }

    /** By topic, the end of each partition. */
    public Map<String, List<Long>> ends() {
        Map<String, List<Long>> ends = new LinkedHashMap<>();
        topics.forEach(topic -> ends.put(topic.name(), topic.ends()));
        return ends;
    }

    Optional<Topic> topic(String name) {
        return topics.stream().filter(topic -> topic.name().equals(name)).findFirst();
    }
}
