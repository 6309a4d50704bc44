package io.neardup.service.cluster;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.neardup.streams.input.InputGenerations;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The topics that an index has met. Positions in the input, and what stores are restored from, mean these alone. Others
 * that were made again under the same names are not meant.
 *
 * @param ids by topic, the ids of its generations, the present one last; never empty
 */
public record KnownTopics(@JsonValue Map<String, List<String>> ids) {
    public static final KnownTopics NONE = new KnownTopics(Map.of());

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public KnownTopics {
        ids = Map.copyOf(ids);
    }

    /** The id of the present generation; empty where the topic was never met. */
    public Optional<String> id(String topic) {
        return Optional.ofNullable(ids.get(topic)).map(generations -> generations.get(generations.size() - 1));
    }

    /** With this id as the present one. */
    KnownTopics with(String topic, String id) {
        if (id(topic).filter(id::equals).isPresent()) {
            return this;
        }
        Map<String, List<String>> more = new HashMap<>(ids);
        List<String> generations = new ArrayList<>(ids.getOrDefault(topic, List.of()));
        generations.add(id);
        more.put(topic, List.copyOf(generations));
        return new KnownTopics(more);
    }

    /**
     * Those that were inputs and are no more, in the order of their names.
     *
     * @param inputs the topics that are read now
     * @param changelogs of the index
     */
    SortedSet<String> removedInputs(Collection<String> inputs, Collection<String> changelogs) {
        SortedSet<String> removed = new TreeSet<>(ids.keySet());
        removed.removeAll(inputs);
        removed.removeAll(changelogs);
        return removed;
    }

    /** Parameters as of {@link #removedInputs}. */
    public InputGenerations generations(Collection<String> inputs, Collection<String> changelogs) {
        Map<String, Integer> byTopic = new HashMap<>();
        ids.forEach((topic, generations) -> byTopic.put(topic, generations.size() - 1));
        byTopic.keySet().removeAll(changelogs);
        return new InputGenerations(byTopic, removedInputs(inputs, changelogs));
    }
}
