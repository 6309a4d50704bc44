package io.neardup.app;

import io.neardup.app.TopicAdmin.Found;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether the topics are still those that the service started with. Kafka Streams waits for minutes or for ever where one
 * is deleted, and leaves new partitions of the input unread, without a word that an operator sees.
 */
final class TopicWatch {
    private static final Logger LOG = LoggerFactory.getLogger(TopicWatch.class);

    private final TopicAdmin admin;
    private final Map<String, Found> started;
    private final Set<String> outputs;
    private volatile boolean answered = true;
    private boolean changed;

    /**
     * A watch of topics as they are now.
     *
     * @param started all topics, as the service started with them
     * @param outputs those of them that only need to be there
     */
    TopicWatch(TopicAdmin admin, Map<String, Found> started, Collection<String> outputs) {
        this.admin = admin;
        this.started = Map.copyOf(started);
        this.outputs = Set.copyOf(outputs);
    }

    /** Whether a topic exists, and is no other that was made again under its name. */
    boolean isSame(String topic) {
        Found before = started.get(topic);
        Found now = admin.findNow(List.of(topic)).get(topic);
        return before != null && now != null && now.id().equals(before.id());
    }

    /** As {@link #changes()}, but only where the last look found some too: one broker alone may be behind for a while. */
    List<String> lastingChanges() {
        List<String> changes = changes();
        boolean lasting = changed;
        changed = !changes.isEmpty();
        return lasting ? changes : List.of();
    }

    /** What has changed, a line each; nothing where the cluster does not answer. */
    List<String> changes() {
        List<String> changes = new ArrayList<>();
        try {
            Map<String, Found> now = admin.find(started.keySet());
            started.keySet().stream().sorted().forEach(topic -> addChange(topic, now, changes));
            noteAnswer();
        } catch (StartupException e) {
            noteNoAnswer(e);
        }
        return changes;
    }

    private void noteAnswer() {
        if (!answered) {
            LOG.info("can look at the topics again");
            answered = true;
        }
    }

    /** The first time alone: a cluster may be away for hours. */
    private void noteNoAnswer(StartupException e) {
        boolean closing = Thread.currentThread().isInterrupted();
        if (answered && !closing) {
            LOG.warn("could not look at the topics, trying on; cause={}", e.getMessage());
            answered = false;
        }
    }

    private void addChange(String topic, Map<String, Found> all, List<String> changes) {
        Found before = started.get(topic);
        Found now = all.get(topic);
        if (before == null || before.equals(now) || (now != null && outputs.contains(topic))) {
            return;
        }
        changes.add("topic " + topic + ": expected the one that the service started with, " + found(before, now)
                + "; start again, which makes it anew or tells the way out");
    }

    private static String found(Found before, @Nullable Found now) {
        if (now == null) {
            return "found none";
        }
        return now.id().equals(before.id())
                ? "with " + before.partitions() + " partitions, found " + now.partitions()
                : "found another made under its name";
    }
}
