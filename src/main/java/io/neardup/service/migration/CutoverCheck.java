package io.neardup.service.migration;

import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.StoredIndex;
import io.neardup.streams.input.Predecessor;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.topology.DedupTopology;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;

/** Whether an index can hand its input over to another now. What is handed over to nobody would be lost. */
final class CutoverCheck {
    /** Records of its predecessor that a successor may have before it: it reads some 10,000 a second. */
    private static final long LEFT_MAX = 20_000;

    private final String from;
    private final ClusterView cluster;
    private final String to;
    private final ClusterView successor;

    /**
     * A check of two indexes of one cluster.
     *
     * @param cluster by the settings of the one that hands over
     * @param successor by those of the other
     */
    CutoverCheck(ClusterView cluster, ClusterView successor) {
        this.from = cluster.applicationId();
        this.cluster = cluster;
        this.to = successor.applicationId();
        this.successor = successor;
    }

    /**
     * Refuses what cannot be.
     *
     * @return records that the successor has not read, about
     * @throws StartupException that says why not
     */
    long run(boolean isFarBehindFine) {
        if (to.equals(from)) {
            throw refused(from, "another one as its successor", "the same");
        }
        StoredIndex index = cluster.requireIndex();
        checkIndex(index);
        MigrationTargetStatus following = MigrationTargetStatus.of(to, successor);
        checkFollows(following, index);
        checkInputs();
        long left = following.recordsLeft(successor);
        if (left > LEFT_MAX && !isFarBehindFine) {
            throw refused(
                    to,
                    "at most " + LEFT_MAX + " records of " + from + " that it has not read",
                    left + ": nobody takes the input until it has; wait, or give --now");
        }
        return left;
    }

    private void checkIndex(StoredIndex index) {
        List<String> unread = index.settings().unreadLayouts(DedupTopology.layouts());
        if (!unread.isEmpty()) {
            throw refused(from, "an index that this release can run", String.join("; ", unread));
        }
        MigrationTargetStatus own = MigrationTargetStatus.of(from, cluster);
        if (own.predecessor().isPresent() && !own.isDone()) {
            throw refused(
                    from,
                    "an index that has taken over all of its own predecessor",
                    "one that has not; wait until it is ready");
        }
    }

    private void checkFollows(MigrationTargetStatus following, StoredIndex index) {
        if (successor.index().isEmpty()) {
            throw refused(
                    to,
                    "a service with neardup.successor.of=" + from,
                    "no index of that application.id; look at --to, or start the service");
        }
        if (!following.isFrom(index)) {
            throw refused(
                    to,
                    "a service with neardup.successor.of=" + from,
                    following
                            .predecessor()
                            .map(Predecessor::applicationId)
                            .map(other -> other.equals(from)
                                    ? "one that follows an earlier index of that name"
                                    : "one that follows " + other)
                            .orElse("one that follows none"));
        }
        if (following.takeover().isPresent()) {
            throw refused(to, "a service that follows " + from, "one that goes on by itself already");
        }
    }

    /** The successor takes over at a position of each input that the other reads, and of no others. */
    private void checkInputs() {
        Set<String> left = inputs(cluster);
        Set<String> taken = inputs(successor);
        if (!left.equals(taken)) {
            throw refused(
                    to,
                    "neardup.input.topics=" + String.join(",", left) + ", as of " + from,
                    String.join(",", taken) + "; set it so, and start " + to + " again");
        }
    }

    /** Those of the topics that an index has met which its service reads now. */
    private static Set<String> inputs(ClusterView cluster) {
        String id = cluster.applicationId();
        ConsumerGroupDescription group = cluster.groupAdmin()
                .describe()
                .filter(described -> !described.members().isEmpty())
                .orElseThrow(() -> refused(id, "a service that runs", "no member of its group; start it"));
        if (group.groupState() != GroupState.STABLE) {
            throw refused(id, "a group at rest", group.groupState() + ": it shares out its work; ask again in a while");
        }
        Set<String> inputs = group.members().stream()
                .map(member -> member.assignment().topicPartitions())
                .flatMap(Collection::stream)
                .map(TopicPartition::topic)
                .collect(Collectors.toCollection(TreeSet::new));
        inputs.retainAll(cluster.knownTopics().ids().keySet());
        inputs.removeAll(new TopicNames(id).changelogs());
        return inputs;
    }

    private static StartupException refused(String applicationId, String expected, String found) {
        return new StartupException(
                List.of("application.id " + applicationId + ": expected " + expected + ", found " + found));
    }
}
