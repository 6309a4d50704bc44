package io.neardup.tools.cli;

import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.SettingsReader;
import io.neardup.service.cluster.SettingsTopic;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.StoredIndex;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.Cutover.CutoverStage;
import io.neardup.streams.store.CutoverEvent.Asked;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.topology.DedupTopology;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.common.GroupState;

/**
 * Asks an index to hand its input over, for good: by a record of its settings topic that its coordinators follow.
 *
 * @param from its application.id
 */
public record CutoverRequest(String from, ClusterView cluster) {
    /** Records of its predecessor that a successor may have before it: it reads some 10,000 a second. */
    private static final long LEFT_MAX = 20_000;

    /**
     * How far a cutover is, on both sides.
     *
     * @param cutover of the index that hands over
     * @param members of its group, one a stream thread: with none nothing goes on
     * @param successorMembers the same of the index that takes over; 0 where nothing is asked
     * @param successorCoordinatorsLeft coordinators of that one that have not taken over all; empty as long as that is
     *     not settled
     */
    public record Progress(
            Cutover cutover, int members, int successorMembers, Optional<Integer> successorCoordinatorsLeft) {

        /** Whether all has left the one, and is there in the other. */
        public boolean isTakenOver() {
            return cutover.stage() == CutoverStage.EMPTY
                    && successorCoordinatorsLeft.filter(left -> left == 0).isPresent();
        }

        public boolean goesOn() {
            return cutover.stage() != CutoverStage.NONE && !isTakenOver();
        }
    }

    /**
     * Refuses to ask what nobody would do.
     *
     * @param successor by the settings of that index
     * @param isFarBehindFine whether the successor may have much to read before it goes on
     * @return records of this index that the successor has not read, about
     */
    public long check(ClusterView successor, boolean isFarBehindFine) {
        String to = successor.config().applicationId();
        if (to.equals(from)) {
            throw refused(from, "another one as its successor", "the same");
        }
        StoredIndex index = cluster.requireIndex();
        checkIndex(index);
        SettingsReader following = successor.settingsReader(to);
        checkFollows(successor, following, index);
        checkInputs(successor);
        long left = following
                .predecessor()
                .map(before -> successor.lag(before.partitions()))
                .orElse(0L);
        if (left > LEFT_MAX && !isFarBehindFine) {
            throw refused(
                    to,
                    "at most " + LEFT_MAX + " records of " + from + " that it has not read",
                    left + ": nobody takes the input until it has; wait, or give --now");
        }
        return left;
    }

    private void checkIndex(StoredIndex index) {
        List<String> unsupported = index.settings().unsupportedLayouts(DedupTopology.layouts());
        if (!unsupported.isEmpty()) {
            throw refused(from, "an index that this release can run", String.join("; ", unsupported));
        }
        SettingsReader own = cluster.settingsReader(from);
        if (own.predecessor().isPresent() && !own.hasTakenOver()) {
            throw refused(
                    from,
                    "an index that has taken over all of its own predecessor",
                    "one that has not; wait until it is ready");
        }
    }

    private void checkFollows(ClusterView successor, SettingsReader following, StoredIndex index) {
        String to = successor.config().applicationId();
        if (successor.index().isEmpty()) {
            throw refused(
                    to,
                    "a service with neardup.successor.of=" + from,
                    "no index of that application.id; look at --to, or start the service");
        }
        if (!following.isMadeFrom(index)) {
            throw refused(
                    to,
                    "a service with neardup.successor.of=" + from,
                    "one that follows another index, an earlier one of that name, or none");
        }
        if (following.takeover().isPresent()) {
            throw refused(to, "a service that follows " + from, "one that goes on by itself already");
        }
    }

    /** The successor takes over at a position of each input that the other reads, and of no others. */
    private void checkInputs(ClusterView successor) {
        Set<String> left = inputs(cluster);
        Set<String> taken = inputs(successor);
        if (!left.equals(taken)) {
            String to = successor.config().applicationId();
            throw refused(
                    to,
                    "neardup.input.topics=" + String.join(",", left) + ", as of " + from,
                    String.join(",", taken) + "; set it so, and start " + to + " again");
        }
    }

    /** Those of the topics that an index has met which its service reads now. */
    private static Set<String> inputs(ClusterView cluster) {
        String id = cluster.config().applicationId();
        ConsumerGroupDescription group = cluster.admin()
                .group(id)
                .filter(described -> !described.members().isEmpty())
                .orElseThrow(() -> refused(id, "a service that runs", "no member of its group; start it"));
        if (group.groupState() != GroupState.STABLE) {
            throw refused(id, "a group at rest", group.groupState() + ": it shares out its work; ask again in a while");
        }
        Set<String> inputs = ClusterAdmin.assignedTopics(group);
        inputs.retainAll(cluster.requireIndex().topics().ids().keySet());
        inputs.removeAll(new TopicNames(id).changelogs());
        return inputs;
    }

    private static StartupException refused(String applicationId, String expected, String found) {
        return new StartupException("application.id " + applicationId + ": expected " + expected + ", found " + found);
    }

    /**
     * Asks. Where somebody has asked before, this counts for nothing.
     *
     * @return how far it is by all that is written now, also what another transaction holds up
     * @throws StartupException where a transaction is open for a minute
     */
    public Cutover ask(String to) {
        int coordinators = cluster.requireIndex().settings().inputPartitions();
        boolean isSpread = cluster.settingsReader(from)
                .predecessor()
                .filter(before -> before.isSpreadOver(coordinators))
                .isPresent();
        new SettingsTopic(cluster.config(), cluster.admin())
                .note(new Asked(UUID.randomUUID().toString(), to, coordinators, isSpread));
        SettingsReader settingsReader = new SettingsReader(cluster.config(), cluster.admin(), from);
        settingsReader.catchUpDecided();
        return settingsReader.cutover();
    }

    public Progress look() {
        Cutover now = cluster.cutover();
        Optional<String> successor = now.successor();
        return new Progress(
                now,
                cluster.admin().members(from),
                successor.map(cluster.admin()::members).orElse(0),
                successor.map(cluster::settingsReader).flatMap(SettingsReader::coordinatorsLeft));
    }
}
