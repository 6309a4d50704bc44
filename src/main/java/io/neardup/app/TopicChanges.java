package io.neardup.app;

import io.neardup.app.TopicAdmin.FoundTopic;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What differs from the topics that the service started with, a line each. */
final class TopicChanges {
    private final Map<String, FoundTopic> started;
    private final Set<String> outputs;
    private List<String> last = List.of();

    /**
     * Changes of these topics.
     *
     * @param started all topics, as the service started with them
     * @param outputs those of them that only need to be there
     */
    TopicChanges(Map<String, FoundTopic> started, Collection<String> outputs) {
        this.started = Map.copyOf(started);
        this.outputs = Set.copyOf(outputs);
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
        String wayOut = now == null && outputs.contains(topic)
                ? "; create it again, or start with --create-topics: its records are lost, the service goes on with"
                        + " the next"
                : "; start again, which makes it anew or tells the way out";
        return "topic " + topic + ": expected the one that the service started with, " + found(before, now) + wayOut;
    }

    private static String found(FoundTopic before, @Nullable FoundTopic now) {
        if (now == null) {
            return "found none: it was deleted meanwhile";
        }
        return now.id().equals(before.id())
                ? "with " + before.partitions() + " partitions, found " + now.partitions()
                : "found another made under its name";
    }
}
