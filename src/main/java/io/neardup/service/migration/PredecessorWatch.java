package io.neardup.service.migration;

import io.neardup.config.NeardupConfig;
import io.neardup.engine.protocol.MigrationSource.Handover;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.ClusterAdmin.FoundTopic;
import io.neardup.service.cluster.SettingsReader;
import io.neardup.service.cluster.SettingsTopic;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.StoredIndex;
import io.neardup.service.cluster.StoredIndex.KnownTopics;
import io.neardup.streams.input.InputGenerations;
import io.neardup.streams.input.Predecessor;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.input.Takeover;
import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.Cutover.CutoverStage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks how far the predecessor of an index is with handing its input over. When all its coordinators are empty, it
 * settles what is taken over: all that they have written by then, and the positions at which they stopped. Every
 * instance does so; what is written first holds.
 */
final class PredecessorWatch {
    private static final Logger LOG = LoggerFactory.getLogger(PredecessorWatch.class);

    private final NeardupConfig config;
    private final ClusterAdmin admin;
    private final Seeding seeding;
    private final Predecessor predecessor;
    private final SettingsReader reader;
    private final SettingsTopic settings;
    private volatile Optional<String> refusal = Optional.empty();
    private Optional<StartupException> lost = Optional.empty();

    /** @param settings of the index that takes over */
    PredecessorWatch(
            NeardupConfig config,
            ClusterAdmin admin,
            Seeding seeding,
            Predecessor predecessor,
            SettingsTopic settings) {
        this.config = config;
        this.admin = admin;
        this.seeding = seeding;
        this.predecessor = predecessor;
        this.settings = settings;
        this.reader = new SettingsReader(config, admin, predecessor.applicationId());
    }

    /** Looks once. What is settled here is known when the settings topic of this index is read again. */
    void look() {
        if (seeding.takeover().isPresent()) {
            return;
        }
        reader.catchUp();
        Cutover now = reader.cutover();
        lost = lost(config, predecessor.applicationId(), now);
        if (lost.isEmpty() && now.stage() == CutoverStage.EMPTY) {
            takeOver(now);
        }
    }

    private void takeOver(Cutover now) {
        SettingsTopic before = new SettingsTopic(config, admin, predecessor.applicationId());
        StopPositions stopped = new StopPositions(now.positions(), topics(before));
        Map<String, FoundTopic> inputs = admin.find(config.inputTopics());
        Map<String, String> ids = new HashMap<>();
        inputs.forEach((topic, found) -> ids.put(topic, found.id()));
        Optional<String> found = refusal(stopped, stopped.madeAgain(ids));
        found.filter(why -> !refusal.equals(found)).ifPresent(LOG::error);
        refusal = found;
        if (found.isEmpty()) {
            settle(stopped.positions(ids), inputs, now.eventMillis());
        }
    }

    private static KnownTopics topics(SettingsTopic settings) {
        return settings.find().map(StoredIndex::topics).orElse(KnownTopics.NONE);
    }

    /** Why nothing is taken over by these settings; empty where it is. */
    private Optional<String> refusal(StopPositions stopped, Set<String> madeAgain) {
        String until = " and start again: until then nothing is taken over of " + predecessor.applicationId();
        if (!stopped.topics().equals(Set.copyOf(config.inputTopics()))) {
            return Optional.of("neardup.input.topics: expected those that the predecessor read, "
                    + String.join(",", stopped.topics()) + ", found " + String.join(",", config.inputTopics())
                    + "; set it so" + until);
        }
        if (!madeAgain.isEmpty() && !config.skipsDeletedInput()) {
            return Optional.of("input topic " + String.join(", ", madeAgain)
                    + ": expected the one at which the predecessor stopped, found another made under its name since;"
                    + " start with --input-deleted skip, which reads the new one from its beginning," + until);
        }
        madeAgain.forEach(topic -> LOG.warn(
                "topic={} was deleted and made again since the predecessor stopped: reading it from its beginning",
                topic));
        return Optional.empty();
    }

    /** What an operator is to do, so that it takes over; empty where nothing is. */
    Optional<String> alert() {
        return refusal;
    }

    /** Why this index can never take over, by the last look; empty as long as it can. */
    Optional<StartupException> lost() {
        return lost;
    }

    /**
     * Why this index can never take over: another one does, for good.
     *
     * @param id of the predecessor
     * @param cutover how far that is with handing over
     */
    static Optional<StartupException> lost(NeardupConfig config, String id, Cutover cutover) {
        return cutover.successor()
                .filter(other -> !other.equals(config.applicationId()))
                .map(other -> new StartupException("neardup.successor.of: expected an index that keeps its"
                        + " input until " + config.applicationId() + " takes it over, found that " + id
                        + " hands it over to " + other + ", for good: delete what there is of "
                        + config.applicationId() + " with index reset, and make an index of another application.id with"
                        + " neardup.successor.of=" + other));
    }

    private void settle(
            Map<Integer, Map<String, Long>> stopped, Map<String, FoundTopic> inputs, Map<Integer, Long> eventMillis) {
        Map<TopicPartition, Long> ends = admin.decidedEnds(predecessor.partitions());
        Takeover takeover = new Takeover(
                predecessor.partitions().stream()
                        .map(coordinator -> Objects.requireNonNull(ends.get(coordinator), coordinator.toString()))
                        .toList(),
                starts(stopped, inputs),
                seeding.isSpread(),
                Takeover.eventMillis(eventMillis, seeding));
        settings.note(SettingsTopic.TAKEOVER, takeover);
        LOG.info("taking over of={} positions={}", predecessor.applicationId(), takeover.starts());
    }

    /** In the names that the coordinators of this index have for the topics. */
    private List<Map<String, Long>> starts(Map<Integer, Map<String, Long>> stopped, Map<String, FoundTopic> inputs) {
        List<TopicPartition> partitions = new ArrayList<>();
        inputs.forEach((topic, found) -> partitions.addAll(ClusterAdmin.partitions(topic, found.partitions())));
        InputGenerations generations = topics(settings).generations(config);
        try {
            return Takeover.starts(
                            stopped, admin.beginnings(partitions), predecessor.coordinators(), seeding.coordinators())
                    .stream()
                    .map(starts -> starts.entrySet().stream()
                            .collect(
                                    Collectors.toMap(start -> generations.nameOf(start.getKey()), Map.Entry::getValue)))
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new StartupException("neardup.successor.of: nothing is taken over of "
                    + predecessor.applicationId() + ": " + e.getMessage()
                    + "; its input topics are not those that it read, so make a new index of the input");
        }
    }

    /**
     * Where the coordinators of a predecessor stopped reading the input.
     *
     * @param positions by coordinator, then by topic, in the name of its generation
     * @param known the topics that the predecessor has met
     */
    record StopPositions(Map<Integer, Map<String, Long>> positions, KnownTopics known) {

        /** The topics of these positions. */
        Set<String> topics() {
            return names().stream().map(InputGenerations::topicOf).collect(Collectors.toCollection(TreeSet::new));
        }

        private Set<String> names() {
            return positions.values().stream()
                    .flatMap(ofCoordinator -> ofCoordinator.keySet().stream())
                    .collect(Collectors.toSet());
        }

        /**
         * The topics that are not those of these positions: they were deleted and made again since.
         *
         * @param ids of the topics as they are now
         */
        Set<String> madeAgain(Map<String, String> ids) {
            Set<String> again = new TreeSet<>(ids.keySet());
            again.removeIf(topic -> names().contains(name(topic, ids)));
            return again;
        }

        /** As the predecessor calls this generation of a topic; an empty name where it has not met it. */
        private String name(String topic, Map<String, String> ids) {
            int generation = known.ids().getOrDefault(topic, List.of()).indexOf(ids.get(topic));
            return generation < 0 ? "" : new InputGenerations(Map.of(topic, generation), Set.of()).nameOf(topic);
        }

        /**
         * By coordinator, then by topic at which it stopped, where reading goes on. It is the beginning of one that was
         * made again since the coordinator had stopped, whether others stopped later or not.
         *
         * @param ids of the topics as they are now
         */
        Map<Integer, Map<String, Long>> positions(Map<String, String> ids) {
            Map<Integer, Map<String, Long>> byTopic = new HashMap<>();
            positions.forEach((coordinator, ofCoordinator) -> {
                Map<String, Long> starts = new HashMap<>();
                ofCoordinator.keySet().stream()
                        .map(InputGenerations::topicOf)
                        .filter(ids::containsKey)
                        .forEach(topic -> starts.put(
                                topic, ofCoordinator.getOrDefault(name(topic, ids), Handover.NOTHING_TAKEN)));
                byTopic.put(coordinator, starts);
            });
            return byTopic;
        }
    }
}
