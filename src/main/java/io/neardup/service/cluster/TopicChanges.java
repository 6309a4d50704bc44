package io.neardup.service.cluster;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.ClusterAdmin.FoundTopic;
import io.neardup.streams.store.TopicNames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What differs from the topics that the service started with, a line each, with what to do about it. */
public final class TopicChanges {
    private static final String NO_LOSS = "nothing is lost";
    private static final String SEED_IS_LOST =
            "where all seeds were read, take neardup.seed.topics or neardup.successor.of out and start again:"
                    + " nothing is lost; else start anew under another application.id";
    private static final String INDEX_IS_LOST = "the index is lost with it, so a start is refused: take another"
            + " application.id, or delete the rest with reset; both read the input from its beginning and write to the"
            + " outputs again";

    private final Map<String, FoundTopic> started;
    private final Set<String> outputs;
    private final Set<String> inputs;
    private final int coordinators;
    private final Set<String> made;
    private final Set<String> seeds;
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
        TopicNames names = new TopicNames(config.applicationId());
        this.made = Set.copyOf(names.inFlight(false));
        this.seeds = new HashSet<>(config.seedTopics());
        config.successorOf().map(TopicNames::new).ifPresent(before -> {
            seeds.add(before.originalsChangelog());
            seeds.add(before.settings());
        });
        seeds.add(names.seeds());
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
            return "found none: it was deleted meanwhile; " + ifDeleted(topic);
        }
        return now.id().equals(before.id())
                ? "with " + before.partitions() + " partitions, found " + now.partitions() + "; " + ifGrown(topic)
                : "found another made under its name; " + ifMadeAgain(topic);
    }

    /** What to do where a topic was deleted: what a start makes of it, half a sentence. */
    public String ifDeleted(String topic) {
        if (outputs.contains(topic)) {
            return "create it again, or start with --create-topics: its records are lost, the service goes on with the"
                    + " next";
        } else if (inputs.contains(topic)) {
            return "create it again and start with --input-deleted skip, which reads the new one from its"
                    + " beginning: what of the old one had not left is lost";
        }
        if (seeds.contains(topic)) {
            return SEED_IS_LOST;
        }
        return made.contains(topic) ? "start again, which makes it anew: " + NO_LOSS : INDEX_IS_LOST;
    }

    /** The same where it was deleted, and made again under its name. */
    private String ifMadeAgain(String topic) {
        if (inputs.contains(topic)) {
            return "start with --input-deleted skip, which reads the new one from its beginning: what of the old"
                    + " one had not left is lost";
        }
        if (seeds.contains(topic)) {
            return SEED_IS_LOST;
        }
        return made.contains(topic) ? "start again: " + NO_LOSS : INDEX_IS_LOST;
    }

    /** The same where its partitions have become more. */
    private String ifGrown(String topic) {
        if (seeds.contains(topic)) {
            return SEED_IS_LOST;
        }
        return made.contains(topic)
                ? "delete it and start again, which makes it anew: " + NO_LOSS
                : "the number is fixed for the life of an index, so a start is refused: take another application.id";
    }
}
