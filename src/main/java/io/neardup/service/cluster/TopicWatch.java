package io.neardup.service.cluster;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.ClusterAdmin.FoundTopic;
import io.neardup.streams.store.TopicNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether the topics are still those that the service started with. Where one is deleted, Kafka Streams waits for
 * minutes or for ever. New partitions of the input are left unread. An operator would see no word of either.
 */
public final class TopicWatch {
    private static final Logger LOG = LoggerFactory.getLogger(TopicWatch.class);
    private static final String FIXED =
            "the number is fixed for the life of an index, so a start is refused: take another application.id";

    private final ClusterAdmin admin;
    private final Map<String, FoundTopic> started;
    private final Map<String, Use> uses = new HashMap<>();
    private final int coordinators;
    private List<String> last = List.of();
    private volatile boolean answered = true;
    private volatile List<String> grown = List.of();

    /** What a topic is for, and what a start makes of it where it is gone, half a sentence. */
    private enum Use {
        INPUT("create it if it is not there, and start with --input-deleted skip, which reads the new one from its"
                + " beginning: what of the old one had not left is lost"),
        /** It only needs to be there. */
        OUTPUT("create it again, or start with --create-topics: its records are lost, the service goes on with the"
                + " next"),
        SEED("where all seeds were read, take neardup.seed.topics or neardup.successor.of out and start again: nothing"
                + " is lost; else start anew under another application.id"),
        IN_FLIGHT("delete it if it is there, and start again, which makes it anew: nothing is lost"),
        EVENTS("start again: the index is whole, but stories may lack copies that were on their way"),
        STORIES("start again: the index is whole, but stories begin anew"),
        INDEX("the index is lost with it, so a start is refused: take another application.id, or delete the rest with"
                + " index reset; both read the input from its beginning and write to the outputs again");

        private final String fix;

        Use(String fix) {
            this.fix = fix;
        }
    }

    /**
     * @param started all topics, as the service started with them
     * @param coordinators how many the index has: what an input has more is left to a successor
     */
    public TopicWatch(ClusterAdmin admin, Map<String, FoundTopic> started, NeardupConfig config, int coordinators) {
        this.admin = admin;
        this.started = Map.copyOf(started);
        TopicNames names = new TopicNames(config.applicationId());
        List.of(names.lookups(), names.replies(), names.checks()).forEach(topic -> uses.put(topic, Use.IN_FLIGHT));
        uses.put(names.storyEvents(), Use.EVENTS);
        uses.put(names.storiesChangelog(), Use.STORIES);
        config.successorOf().map(TopicNames::new).ifPresent(before -> {
            uses.put(before.originalsChangelog(), Use.SEED);
            uses.put(before.settings(), Use.SEED);
            uses.put(before.storiesChangelog(), Use.SEED);
        });
        config.seedTopics().forEach(topic -> uses.put(topic, Use.SEED));
        uses.put(names.seeds(), Use.SEED);
        config.inputTopics().forEach(topic -> uses.put(topic, Use.INPUT));
        config.outputTopics().forEach(topic -> uses.put(topic, Use.OUTPUT));
        this.coordinators = coordinators;
        noteGrown(this.started);
    }

    private Use use(String topic) {
        return uses.getOrDefault(topic, Use.INDEX);
    }

    /** The inputs with more partitions than the index has coordinators, a sentence each. */
    public List<String> grown() {
        return grown;
    }

    private void noteGrown(Map<String, FoundTopic> now) {
        List<String> found = grown(now);
        found.stream().filter(note -> !grown.contains(note)).forEach(LOG::warn);
        grown = found;
    }

    /** Whether a topic exists, and is no other that was made again under its name. */
    public boolean isSame(String topic) {
        FoundTopic before = started.get(topic);
        FoundTopic now = admin.findNow(List.of(topic)).get(topic);
        return before != null && now != null && now.id().equals(before.id());
    }

    /** Those of {@link #changes()} that the last look found too: one broker alone may be behind for a while. */
    public List<String> lastingChanges() {
        return lasting(changes());
    }

    /** What has changed, a line each; nothing where the cluster does not answer. */
    List<String> changes() {
        try {
            Map<String, FoundTopic> now = admin.find(started.keySet());
            if (!answered) {
                LOG.info("the cluster answers again");
            }
            answered = true;
            noteGrown(now);
            return among(now);
        } catch (StartupException e) {
            if (answered) { // The first time alone: it may be away for hours.
                LOG.warn("waiting for the cluster; cause={}", e.getMessage());
            }
            answered = false;
            return List.of();
        }
    }

    // ---- what has changed, and what to do about it

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
        return before.equals(now) || (now != null && (use(topic) == Use.OUTPUT || isGrown(topic, before, now)));
    }

    /** Beyond the coordinators: then nothing changes for those. */
    private boolean isGrown(String topic, FoundTopic before, FoundTopic now) {
        return use(topic) == Use.INPUT
                && now.id().equals(before.id())
                && before.partitions() >= coordinators
                && now.partitions() > before.partitions();
    }

    /** The inputs with more partitions than there are coordinators, a sentence each. */
    public List<String> grown(Map<String, FoundTopic> now) {
        List<String> notes = new ArrayList<>();
        new TreeMap<>(now).forEach((topic, found) -> {
            if (use(topic) == Use.INPUT && found.partitions() > coordinators) {
                notes.add("topic " + topic + " has " + found.partitions() + " partitions, and this index reads the "
                        + coordinators
                        + " that there were when it was made: documents of the others wait for an index that"
                        + " takes over (src/docs/change.md), as long as the topic keeps them");
            }
        });
        return notes;
    }

    private String change(String topic, FoundTopic before, @Nullable FoundTopic now) {
        String found;
        if (now == null) {
            found = "found none: it was deleted meanwhile; " + use(topic).fix;
        } else if (now.id().equals(before.id())) {
            found = "with " + before.partitions() + " partitions, found " + now.partitions() + "; "
                    + (use(topic) == Use.IN_FLIGHT ? use(topic).fix : FIXED);
        } else {
            found = "found another made under its name; " + use(topic).fix;
        }
        return "topic " + topic + ": expected the one that the service started with, " + found;
    }

    /** What to do where a topic was deleted: what a start makes of it, half a sentence. */
    public String ifDeleted(String topic) {
        return use(topic).fix;
    }
}
