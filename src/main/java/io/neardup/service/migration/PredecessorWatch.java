package io.neardup.service.migration;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.ClusterAdmin;
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
import io.neardup.streams.store.TopicNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
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
        KnownTopics known = settings.find().map(StoredIndex::topics).orElse(KnownTopics.NONE);
        InputGenerations generations =
                known.generations(config.inputTopics(), new TopicNames(config.applicationId()).changelogs());
        Optional<String> found = refusal(now.positions(), generations);
        found.filter(why -> !refusal.equals(found)).ifPresent(LOG::error);
        refusal = found;
        if (found.isEmpty()) {
            settle(now, generations);
        }
    }

    /**
     * Why nothing is taken over by these settings; empty where it is.
     *
     * @param left by coordinator, then by topic in the name of its generation, where it stopped
     */
    private Optional<String> refusal(Map<Integer, Map<String, Long>> left, InputGenerations generations) {
        Set<String> names = left.values().stream()
                .flatMap(ofCoordinator -> ofCoordinator.keySet().stream())
                .collect(Collectors.toSet());
        Set<String> topics =
                names.stream().map(InputGenerations::topicOf).collect(Collectors.toCollection(TreeSet::new));
        String until = ": nothing is taken over of " + predecessor.applicationId();
        if (!topics.equals(Set.copyOf(config.inputTopics()))) {
            return Optional.of("neardup.input.topics: expected those that the predecessor read, "
                    + String.join(",", topics) + ", found " + String.join(",", config.inputTopics())
                    + "; set it so and start again; until then" + until);
        }
        return config.inputTopics().stream()
                .filter(topic -> !names.contains(generations.nameOf(topic)))
                .findFirst()
                .map(topic ->
                        "input topic " + topic + ": expected the one at which the predecessor stopped, found another"
                                + " made under its name since" + until + "; make a new index seeded with unique");
    }

    /** What an operator is to do, so that it takes over; empty where nothing is. */
    Optional<String> note() {
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

    private void settle(Cutover now, InputGenerations generations) {
        Map<TopicPartition, Long> ends = admin.decidedEnds(predecessor.partitions());
        Takeover takeover = new Takeover(
                predecessor.partitions().stream()
                        .map(coordinator -> Objects.requireNonNull(ends.get(coordinator), coordinator.toString()))
                        .toList(),
                starts(now.positions(), generations),
                seeding.isSpread(),
                Takeover.eventMillis(now.eventMillis(), seeding));
        settings.note(SettingsTopic.TAKEOVER, takeover);
        LOG.info("taking over of={} positions={}", predecessor.applicationId(), takeover.starts());
    }

    /** In the names that the coordinators of both indexes have for the topics. */
    private List<Map<String, Long>> starts(Map<Integer, Map<String, Long>> left, InputGenerations generations) {
        Map<Integer, Map<String, Long>> byTopic = new HashMap<>();
        left.forEach((coordinator, positions) -> {
            Map<String, Long> ofInputs = new HashMap<>(positions);
            ofInputs.keySet().removeIf(generations::isPast);
            byTopic.put(coordinator, renamed(ofInputs, InputGenerations::topicOf));
        });
        List<TopicPartition> partitions = new ArrayList<>();
        admin.find(config.inputTopics())
                .forEach((topic, found) -> partitions.addAll(ClusterAdmin.partitions(topic, found.partitions())));
        try {
            return Takeover.starts(
                            byTopic, admin.beginnings(partitions), predecessor.coordinators(), seeding.coordinators())
                    .stream()
                    .map(starts -> renamed(starts, generations::nameOf))
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new StartupException("neardup.successor.of: nothing is taken over of "
                    + predecessor.applicationId() + ": " + e.getMessage()
                    + "; its input topics are not those that it read, so make a new index of the input");
        }
    }

    private static Map<String, Long> renamed(Map<String, Long> positions, UnaryOperator<String> name) {
        return positions.entrySet().stream()
                .collect(Collectors.toMap(position -> name.apply(position.getKey()), Map.Entry::getValue));
    }
}
