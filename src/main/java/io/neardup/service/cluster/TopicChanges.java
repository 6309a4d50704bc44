package io.neardup.service.cluster;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.TopicAdmin.FoundTopic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What differs from the topics that the service started with, a line each. */
public final class TopicChanges {
    private final Map<String, FoundTopic> started;
    private final Set<String> outputs;
    private final Set<String> inputs;
    private final int coordinators;
    private final TopicLoss loss;
    private List<String> last = List.of();

    /**
     * Changes of these topics.
     *
     * @param started all topics, as the service started with them
     * @param config names those of them that only need to be there
     * @param coordinators how many the index has: what an input has more is left to a successor
     */
    public TopicChanges(Map<String, FoundTopic> started, NeardupConfig config, int coordinators) {
        this.started = Map.copyOf(started);
        this.outputs = Set.copyOf(config.outputTopics());
        this.inputs = Set.copyOf(config.inputTopics());
        this.loss = new TopicLoss(config);
        this.coordinators = coordinators;
    }

    /** The changes, sorted by topic. */
    List<String> among(Map<String, FoundTopic> now) {
        Map<String, String> changes = new TreeMap<>();
        started.forEach((topic, before) -> {
            FoundTopic found = now.get(topic);
            if (!isFit(topic, before, found)) {
                changes.put(topic, change(topic, before, found));
            }
        });
        return List.copyOf(changes.values());
    }

    /** Those of the changes that were given the last time too. */
    List<String> lasting(List<String> changes) {
        List<String> lasting = changes.stream().filter(last::contains).toList();
        last = changes;
        return lasting;
    }

    private boolean isFit(String topic, FoundTopic before, @Nullable FoundTopic now) {
        return before.equals(now) || (now != null && (outputs.contains(topic) || isGrown(topic, before, now)));
    }

    /** Beyond the coordinators: then nothing changes for those. */
    private boolean isGrown(String topic, FoundTopic before, FoundTopic now) {
        return inputs.contains(topic)
                && now.id().equals(before.id())
                && before.partitions() >= coordinators
                && now.partitions() > before.partitions();
    }

    /** The inputs with more partitions than there are coordinators, a sentence each. */
    public List<String> grown(Map<String, FoundTopic> now) {
        List<String> notes = new ArrayList<>();
        new TreeMap<>(now).forEach((topic, found) -> {
            if (inputs.contains(topic) && found.partitions() > coordinators) {
                notes.add("topic " + topic + " has " + found.partitions() + " partitions, and this index reads the "
                        + coordinators
                        + " that there were when it was made: documents of the others wait for an index that"
                        + " takes over (src/docs/change.md), as long as the topic keeps them");
            }
        });
        return notes;
    }

    private String change(String topic, FoundTopic before, @Nullable FoundTopic now) {
        return "topic " + topic + ": expected the one that the service started with, " + found(topic, before, now);
    }

    private String found(String topic, FoundTopic before, @Nullable FoundTopic now) {
        if (now == null) {
            return "found none: it was deleted meanwhile; " + loss.deleted(topic);
        }
        return now.id().equals(before.id())
                ? "with " + before.partitions() + " partitions, found " + now.partitions() + "; " + loss.grown(topic)
                : "found another made under its name; " + loss.madeAgain(topic);
    }
}
