package io.neardup.app;

import io.neardup.app.TopicAdmin.FoundTopic;
import io.neardup.config.NeardupConfig;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What differs from the topics that the service started with, a line each. */
final class TopicChanges {
    private final Map<String, FoundTopic> started;
    private final Set<String> outputs;
    private final TopicLoss loss;
    private List<String> last = List.of();

    /**
     * Changes of these topics.
     *
     * @param started all topics, as the service started with them
     * @param config names those of them that only need to be there
     */
    TopicChanges(Map<String, FoundTopic> started, NeardupConfig config) {
        this.started = Map.copyOf(started);
        this.outputs = Set.copyOf(config.outputTopics());
        this.loss = new TopicLoss(config);
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
        return before.equals(now) || (now != null && outputs.contains(topic));
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
