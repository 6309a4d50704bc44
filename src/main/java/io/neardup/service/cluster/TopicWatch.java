package io.neardup.service.cluster;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.ClusterAdmin.FoundTopic;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether the topics are still those that the service started with. Where one is deleted, Kafka Streams waits for
 * minutes or for ever. New partitions of the input are left unread. An operator would see no word of either.
 */
public final class TopicWatch {
    /** What to do about a topic that is gone or another, half a sentence. */
    public static final String LOST =
            "src/docs/runbook.md tells what is lost with it, and what a start makes of it (Is data lost?)";

    private final ClusterAdmin admin;
    private final Map<String, FoundTopic> started;
    private final NeardupConfig config;
    private final int coordinators;
    private List<String> last = List.of();
    private volatile List<String> grown;

    /**
     * @param started all topics, as the service started with them
     * @param coordinators how many the index has: what an input has more is left to a successor
     */
    public TopicWatch(ClusterAdmin admin, Map<String, FoundTopic> started, NeardupConfig config, int coordinators) {
        this.admin = admin;
        this.started = Map.copyOf(started);
        this.config = config;
        this.coordinators = coordinators;
        this.grown = grown(config.inputTopics(), coordinators, this.started);
    }

    /** The inputs with more partitions than the index has coordinators by the last look, a sentence each. */
    public List<String> grown() {
        return grown;
    }

    /** Whether a topic exists, and is no other that was made again under its name. */
    public boolean isSame(String topic) {
        FoundTopic before = started.get(topic);
        FoundTopic now = admin.findNow(List.of(topic)).get(topic);
        return before != null && now != null && now.id().equals(before.id());
    }

    /**
     * What has changed, a line each, and had at the last look: one broker alone may be behind for a while.
     *
     * @throws StartupException where the cluster does not answer
     */
    public List<String> lastingChanges() {
        Map<String, FoundTopic> now = admin.find(started.keySet());
        grown = grown(config.inputTopics(), coordinators, now);
        return lasting(among(now));
    }

    /** What has changed, a line each; nothing where the cluster does not answer. */
    List<String> changes() {
        try {
            return among(admin.find(started.keySet()));
        } catch (StartupException e) {
            return List.of();
        }
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

    /** An output only needs to be there, and an input may grow beyond the coordinators: nothing changes for those. */
    private boolean isFit(String topic, FoundTopic before, @Nullable FoundTopic now) {
        if (now == null || before.equals(now)) {
            return now != null;
        }
        boolean isGrown = config.inputTopics().contains(topic)
                && now.id().equals(before.id())
                && before.partitions() >= coordinators
                && now.partitions() > before.partitions();
        return isGrown || config.outputTopics().contains(topic);
    }

    private static String change(String topic, FoundTopic before, @Nullable FoundTopic now) {
        String found = now == null
                ? "found none"
                : now.id().equals(before.id())
                        ? "with " + before.partitions() + " partitions, found " + now.partitions()
                        : "found another made under its name";
        return "topic " + topic + ": expected the one that the service started with, " + found + "; " + LOST;
    }

    /** Those of the inputs with more partitions than there are coordinators, a sentence each. */
    public static List<String> grown(Collection<String> inputs, int coordinators, Map<String, FoundTopic> now) {
        return now.entrySet().stream()
                .filter(topic ->
                        inputs.contains(topic.getKey()) && topic.getValue().partitions() > coordinators)
                .map(topic ->
                        "topic " + topic.getKey() + " has " + topic.getValue().partitions()
                                + " partitions, and this index reads the " + coordinators
                                + " that there were when it was made: documents of the others wait for an index that"
                                + " takes over (src/docs/change.md), as long as the topic keeps them")
                .sorted()
                .toList();
    }
}
