package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.SettingsReader;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.StoredIndex;
import io.neardup.service.cluster.StreamsSettings;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.store.TopicNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Deletes the index of a service with all that belongs to it, so that the next start reads the input from its
 * beginning: its own topics, its group, and its state on this machine. Inputs and outputs stay as they are.
 */
public final class IndexReset {
    private static final long GONE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final NeardupConfig config;
    private final ClusterView cluster;
    private final ClusterAdmin admin;

    public IndexReset(NeardupConfig config, ClusterView cluster) {
        this.config = config;
        this.cluster = cluster;
        this.admin = cluster.admin();
    }

    /**
     * What there is to be deleted.
     *
     * @param topics the settings last, which have where the state is
     */
    public record Plan(List<String> topics, boolean group, Optional<Path> state, Optional<String> successor) {
        public Plan {
            topics = List.copyOf(topics);
        }

        boolean isEmpty() {
            return topics.isEmpty() && !group && state.isEmpty();
        }
    }

    /**
     * Looks at what there is.
     *
     * @throws StartupException while the group has members, or another index is still to take this one over
     */
    public Plan plan(Optional<StoredIndex> index) {
        requireNoMembers();
        index.ifPresent(this::requireTakenOver);
        List<String> own = new ArrayList<>(new TopicNames(config.applicationId()).all());
        own.retainAll(admin.findNow(own).keySet());
        return new Plan(
                own,
                admin.group(config.applicationId()).isPresent(),
                index.flatMap(this::state),
                index.flatMap(unused -> cluster.cutover().successor()));
    }

    private Optional<Path> state(StoredIndex index) {
        Object folder = StreamsSettings.of(config, index.id()).get(StreamsConfig.STATE_DIR_CONFIG);
        return Optional.of(Path.of(String.valueOf(folder))).filter(Files::exists);
    }

    /** What was handed over is nowhere else before the successor has it. */
    private void requireTakenOver(StoredIndex index) {
        cluster.cutover()
                .successor()
                .filter(successor -> {
                    SettingsReader noted = cluster.noted(successor);
                    return noted.isMadeFrom(index) && !noted.hasTakenOver();
                })
                .ifPresent(successor -> {
                    throw new StartupException(List.of("application.id " + config.applicationId()
                            + ": expected an index that nobody needs, found that application.id " + successor
                            + " takes it over, and has not all of it; run that one until it is ready"));
                });
    }

    private void requireNoMembers() {
        int members = admin.members(config.applicationId());
        if (members > 0) {
            throw new StartupException(List.of("group " + config.applicationId() + ": expected no members, found "
                    + members + "; stop all instances (one that was killed leaves after its session, 6 s)"));
        }
    }

    /**
     * Deletes it. What fails leaves the rest so that it can be run again.
     *
     * @throws StartupException while the group has members, or where the cluster does not allow it
     * @throws IOException if the state cannot be deleted
     */
    public void run(Plan plan) throws IOException {
        requireNoMembers();
        if (plan.state.isPresent()) {
            Utils.delete(plan.state.get().toFile());
        }
        if (plan.group) {
            admin.deleteGroup(config.applicationId());
        }
        for (String topic : plan.topics) {
            admin.delete(topic);
        }
        awaitGone(plan.topics);
    }

    /** A start that comes too early would find what is being deleted. */
    private void awaitGone(List<String> deleted) throws IOException {
        long deadlineNanos = System.nanoTime() + GONE_NANOS;
        while (!deleted.isEmpty() && !admin.findNow(deleted).isEmpty()) {
            if (System.nanoTime() > deadlineNanos) {
                throw new IOException("topics " + deleted + ": expected the cluster to delete them within 30 s, found "
                        + admin.findNow(deleted).keySet() + " still there; wait before the next start");
            }
            ClusterAdmin.pause();
        }
    }
}
