package io.neardup.service.cluster;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.ClusterAdmin.FoundTopic;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether the topics are still those that the service started with. Where one is deleted, Kafka Streams waits for
 * minutes or for ever. New partitions of the input are left unread. An operator would see no word of either.
 */
public final class TopicWatch {
    private static final Logger LOG = LoggerFactory.getLogger(TopicWatch.class);

    private final ClusterAdmin admin;
    private final Map<String, FoundTopic> started;
    private final TopicChanges changes;
    private volatile boolean answered = true;
    private volatile List<String> grown = List.of();

    /**
     * A watch of topics as they are now.
     *
     * @param started all topics, as the service started with them
     * @param config names those of them that only need to be there
     * @param coordinators how many the index has
     */
    public TopicWatch(ClusterAdmin admin, Map<String, FoundTopic> started, NeardupConfig config, int coordinators) {
        this.admin = admin;
        this.started = Map.copyOf(started);
        this.changes = new TopicChanges(this.started, config, coordinators);
        noteGrown(this.started);
    }

    /** The inputs with more partitions than the index has coordinators, a sentence each. */
    public List<String> grown() {
        return grown;
    }

    private void noteGrown(Map<String, FoundTopic> now) {
        List<String> found = changes.grown(now);
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
        return changes.lasting(changes());
    }

    /** What has changed, a line each; nothing where the cluster does not answer. */
    List<String> changes() {
        try {
            Map<String, FoundTopic> now = admin.find(started.keySet());
            List<String> found = changes.among(now);
            noteAnswer();
            noteGrown(now);
            return found;
        } catch (StartupException e) {
            noteNoAnswer(e);
            return List.of();
        }
    }

    private void noteAnswer() {
        if (!answered) {
            LOG.info("the cluster answers again");
            answered = true;
        }
    }

    /** The first time alone: a cluster may be away for hours. */
    private void noteNoAnswer(StartupException e) {
        if (answered) {
            LOG.warn("waiting for the cluster; cause={}", e.getMessage());
            answered = false;
        }
    }
}
