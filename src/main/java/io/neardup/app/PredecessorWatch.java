package io.neardup.app;

import io.neardup.config.NeardupConfig;
import io.neardup.cutover.Cutover;
import io.neardup.cutover.Cutover.CutoverStage;
import io.neardup.cutover.Fact.Asked;
import io.neardup.streams.TopicNames;
import io.neardup.streams.input.Predecessor;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.input.Takeover;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks how far the predecessor of an index is with handing its input over. When all its homes are empty, it settles
 * what is taken over: all that they have written by then, and the positions at which they stopped. Every instance does
 * so; what is written first holds.
 */
final class PredecessorWatch {
    private static final Logger LOG = LoggerFactory.getLogger(PredecessorWatch.class);

    private final NeardupConfig config;
    private final TopicAdmin admin;
    private final Seeding seeding;
    private final Predecessor predecessor;
    private final SettingsReader reader;
    private final CutoverCourse course = new CutoverCourse();
    private final SettingsTopic settings;
    private boolean isRefused;
    private Optional<StartupException> lost = Optional.empty();

    /** @param settings of the index that takes over */
    PredecessorWatch(
            NeardupConfig config, TopicAdmin admin, Seeding seeding, Predecessor predecessor, SettingsTopic settings) {
        this.config = config;
        this.admin = admin;
        this.seeding = seeding;
        this.predecessor = predecessor;
        this.settings = settings;
        this.reader =
                new SettingsReader(admin, new TopicNames(predecessor.applicationId()), StreamsSettings.clients(config));
        reader.listen(course);
    }

    /** The homes of the predecessor, each by its changelog of originals. */
    List<TopicPartition> partitions() {
        return IntStream.range(0, predecessor.homes())
                .mapToObj(home -> new TopicPartition(predecessor.topic(), home))
                .toList();
    }

    /** Looks once. What is settled here is known when the settings topic of this index is read again. */
    void look() {
        if (seeding.takeover().isPresent()) {
            return;
        }
        reader.catchUp();
        Cutover now = course.now();
        lost = taker(now)
                .filter(other -> !other.equals(config.applicationId()))
                .map(other -> SuccessionAgreement.lost(config, predecessor.applicationId(), other));
        if (lost.isEmpty() && now.stage() == CutoverStage.EMPTY && hasItsInputs(now)) {
            settle(now);
        }
    }

    /** Why this index can never take over, by the last look; empty as long as it can. */
    Optional<StartupException> lost() {
        return lost;
    }

    /** The application.id of the index that takes over for good. */
    static Optional<String> taker(Cutover cutover) {
        return cutover.stage().compareTo(CutoverStage.FIXED) < 0
                ? Optional.empty()
                : cutover.request().map(Asked::successor);
    }

    private boolean hasItsInputs(Cutover now) {
        Set<String> left = new TreeSet<>();
        now.positions().values().forEach(positions -> left.addAll(positions.keySet()));
        boolean has = left.equals(Set.copyOf(config.inputTopics()));
        if (!has && !isRefused) {
            LOG.error(
                    "neardup.input.topics: expected those that the predecessor read, {}, found {}; set it so and start"
                            + " again: until then nothing is taken over",
                    left,
                    config.inputTopics());
            isRefused = true;
        }
        return has;
    }

    private void settle(Cutover now) {
        Map<TopicPartition, Long> ends = admin.decidedEnds(partitions());
        Takeover takeover = new Takeover(
                partitions().stream()
                        .map(home -> Objects.requireNonNull(ends.get(home), home.toString()))
                        .toList(),
                starts(now),
                seeding.isSpread());
        settings.settle(takeover);
        LOG.info("taking over of={} positions={}", predecessor.applicationId(), takeover.starts());
    }

    private List<Map<String, Long>> starts(Cutover now) {
        List<TopicPartition> inputs = new ArrayList<>();
        admin.find(config.inputTopics()).forEach((topic, found) -> IntStream.range(0, found.partitions())
                .forEach(partition -> inputs.add(new TopicPartition(topic, partition))));
        try {
            return Takeover.starts(now.positions(), admin.beginnings(inputs), predecessor.homes(), seeding.homes());
        } catch (IllegalArgumentException e) {
            throw new StartupException(List.of("neardup.successor.of: nothing is taken over of "
                    + predecessor.applicationId() + ": " + e.getMessage()
                    + "; its input topics are not those that it read, so make a new index of the input"));
        }
    }
}
