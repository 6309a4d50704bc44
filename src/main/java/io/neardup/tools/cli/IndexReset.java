package io.neardup.tools.cli;

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

    private final ClusterView cluster;
    /** The settings last, which have where the state is. */
    final List<String> topics;

    final boolean hasGroup;
    final Optional<Path> state;
    final Optional<String> successor;

    /**
     * Looks at what there is to be deleted.
     *
     * @throws StartupException while the group has members, or another index is still to take this one over
     */
    public IndexReset(ClusterView cluster) {
        this.cluster = cluster;
        requireNoMembers();
        Optional<StoredIndex> index = cluster.index();
        index.ifPresent(this::requireTakenOver);
        List<String> own = new ArrayList<>(new TopicNames(cluster.config().applicationId()).all());
        own.retainAll(cluster.admin().findNow(own).keySet());
        topics = List.copyOf(own);
        hasGroup = cluster.admin().group(cluster.config().applicationId()).isPresent();
        state = index.map(found ->
                        StreamsSettings.of(cluster.config(), found.id()).get(StreamsConfig.STATE_DIR_CONFIG))
                .map(folder -> Path.of(String.valueOf(folder)))
                .filter(Files::exists);
        successor = index.flatMap(unused -> cluster.cutover().successor());
    }

    boolean isEmpty() {
        return topics.isEmpty() && !hasGroup && state.isEmpty();
    }

    /** What was handed over is nowhere else before the successor has it. */
    private void requireTakenOver(StoredIndex index) {
        cluster.cutover()
                .successor()
                .filter(successor -> {
                    SettingsReader settingsReader = cluster.settingsReader(successor);
                    return settingsReader.isMadeFrom(index) && !settingsReader.hasTakenOver();
                })
                .ifPresent(successor -> {
                    throw new StartupException(
                            List.of("application.id " + cluster.config().applicationId()
                                    + ": expected an index that nobody needs, found that application.id " + successor
                                    + " takes it over, and has not all of it; run that one until it is ready"));
                });
    }

    private void requireNoMembers() {
        int members = cluster.admin().members(cluster.config().applicationId());
        if (members > 0) {
            throw new StartupException(
                    List.of("group " + cluster.config().applicationId() + ": expected no members, found " + members
                            + "; stop all instances (one that was killed leaves after its session, 6 s)"));
        }
    }

    /**
     * Deletes it. What fails leaves the rest so that it can be run again.
     *
     * @throws StartupException while the group has members, or where the cluster does not allow it
     * @throws IOException if the state cannot be deleted
     */
    public void run() throws IOException {
        requireNoMembers();
        if (state.isPresent()) {
            Utils.delete(state.get().toFile());
        }
        if (hasGroup) {
            cluster.admin().deleteGroup(cluster.config().applicationId());
        }
        topics.forEach(cluster.admin()::delete);
        awaitGone();
    }

    /** A start that comes too early would find what is being deleted. */
    private void awaitGone() throws IOException {
        long deadlineNanos = System.nanoTime() + GONE_NANOS;
        while (!topics.isEmpty() && !cluster.admin().findNow(topics).isEmpty()) {
            if (System.nanoTime() > deadlineNanos) {
                throw new IOException("topics " + topics + ": expected the cluster to delete them within 30 s, found "
                        + cluster.admin().findNow(topics).keySet() + " still there; wait before the next start");
            }
            ClusterAdmin.pause();
        }
    }
}
