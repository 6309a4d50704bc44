package io.neardup.service.cluster;

import io.neardup.engine.protocol.MigrationSource.Handover;
import io.neardup.streams.input.InputGenerations;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which records of the input the coordinators of a predecessor have left.
 *
 * @param positions by coordinator, then by topic, in the name of its generation
 * @param known the topics that the predecessor has met
 */
public record LeftInput(Map<Integer, Map<String, Long>> positions, KnownTopics known) {

    /** The topics of which records are left. */
    public Set<String> topics() {
        return names().stream().map(InputGenerations::topicOf).collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> names() {
        return positions.values().stream()
                .flatMap(left -> left.keySet().stream())
                .collect(Collectors.toSet());
    }

    /**
     * The topics that are not those of which records were left: they were deleted and made again since.
     *
     * @param ids of the topics as they are now
     */
    public Set<String> madeAgain(Map<String, String> ids) {
        Set<String> names = names();
        return ids.entrySet().stream()
                .filter(now -> name(now.getKey(), now.getValue())
                        .filter(names::contains)
                        .isEmpty())
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** As the predecessor calls this generation of a topic; empty where it has not met it. */
    private Optional<String> name(String topic, String id) {
        return known.ids().containsKey(topic)
                ? Optional.of(known.ids().get(topic).indexOf(id))
                        .filter(generation -> generation >= 0)
                        .map(generation -> new InputGenerations(Map.of(topic, generation), Set.of()).nameOf(topic))
                : Optional.empty();
    }

    /**
     * By coordinator, then by topic, where these topics go on. Of those that were made again it is the beginning.
     *
     * @param ids of the topics as they are now
     */
    public Map<Integer, Map<String, Long>> positions(Map<String, String> ids) {
        Set<String> madeAgain = madeAgain(ids);
        Map<Integer, Map<String, Long>> byTopic = new HashMap<>();
        positions.forEach((coordinator, left) -> {
            Map<String, Long> of = byTopic.computeIfAbsent(coordinator, h -> new HashMap<>());
            ids.forEach((topic, id) -> {
                Optional<String> name = name(topic, id).filter(left::containsKey);
                if (madeAgain.contains(topic)) {
                    of.put(topic, Handover.BEGINNING);
                } else {
                    name.ifPresent(there -> of.put(topic, left.get(there)));
                }
            });
        });
        return byTopic;
    }
}
