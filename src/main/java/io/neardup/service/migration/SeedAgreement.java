package io.neardup.service.migration;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.CommittedRecords;
import io.neardup.service.cluster.CommittedRecords.Span;
import io.neardup.service.cluster.GroupAdmin;
import io.neardup.service.cluster.SettingsTopic;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.StreamsSettings;
import io.neardup.service.cluster.TopicAdmin;
import io.neardup.service.cluster.TopicAdmin.FoundTopic;
import io.neardup.service.cluster.Topics;
import io.neardup.streams.input.SeedPlan;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.topology.SeedRecords;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/** What an index is seeded with is settled once, when it is made: which topics, and how far each is read. */
public final class SeedAgreement {
    private static final int STALLED_SECONDS = 30;
    private static final Duration COMMIT_WAIT = Duration.ofSeconds(5);

    private SeedAgreement() {}

    /**
     * The seeds of an index.
     *
     * @throws StartupException if the settings name others
     */
    public static Seeding agree(NeardupConfig config, TopicAdmin admin, SettingsTopic settings, Topics.Setup setup) {
        SeedPlan plan = settings.seeds(setup.stateExists(), () -> plan(config, admin, setup))
                .orElse(SeedPlan.NONE);
        List<String> given = config.seedTopics();
        if (!given.isEmpty() && !given.equals(plan.names())) {
            throw refused(
                    config,
                    "neardup.seed.topics",
                    plan.names().isEmpty() ? "none" : String.join(",", plan.names()),
                    String.join(",", given));
        }
        if (!given.isEmpty() && config.seedJudge() != plan.judged()) {
            throw refused(
                    config, "neardup.seed.judge", String.valueOf(plan.judged()), String.valueOf(config.seedJudge()));
        }
        return new Seeding(plan, setup.inputPartitions(), config.inputTopics());
    }

    private static StartupException refused(NeardupConfig config, String key, String expected, String found) {
        return new StartupException(List.of(key + ": expected " + expected + ", as when the index of application.id "
                + config.applicationId() + " was made, found " + found
                + "; restore the setting, or start anew under another application.id"));
    }

    /**
     * Until all seeds are read they must be named, and be the topics that they were.
     *
     * @throws StartupException if they are not
     */
    public static void requireRest(NeardupConfig config, Seeding seeding, Topics.Setup setup) {
        if (seeding.isDone()) {
            return;
        }
        if (config.seedTopics().isEmpty()) {
            throw refused(
                    config,
                    "neardup.seed.topics",
                    String.join(",", seeding.plan().names()),
                    "none, before all were read");
        }
        List<String> problems = new ArrayList<>();
        for (SeedPlan.Topic topic : seeding.plan().topics()) {
            if (!topic.id()
                    .equals(Objects.requireNonNull(setup.topics().get(topic.name()), topic.name())
                            .id())) {
                problems.add("seed " + topic.name() + ": expected the topic that the index was made with, found another"
                        + " made under its name before all of it was read; start anew under another application.id");
            }
        }
        if (!problems.isEmpty()) {
            throw new StartupException(problems);
        }
    }

    /**
     * Until all seeds are read, how far they are must be known: coordinators know the documents of the input again, but
     * not those of a seed that is brought to them twice.
     *
     * @throws StartupException if it is not
     */
    public static void requirePositions(NeardupConfig config, TopicAdmin admin, GroupAdmin group, Seeding seeding) {
        if (seeding.isDone()) {
            return;
        }
        List<String> seeds = seeding.plan().names();
        Supplier<Boolean> isKnown = () ->
                group.committed().keySet().stream().map(TopicPartition::topic).anyMatch(seeds::contains);
        if (!isKnown.get()
                && isAnyBrought(config, admin, seeding.coordinators())
                // The first may have been brought in between.
                && !GroupAdmin.await(isKnown, known -> known, COMMIT_WAIT)) {
            throw new StartupException(List.of("neardup.seed.topics: expected to know how far "
                    + String.join(",", seeds) + " was read, found that the cluster has forgotten it, as it does where a"
                    + " service stands still for longer than offsets.retention.minutes of the brokers: documents"
                    + " would be taken twice; delete what there is of " + config.applicationId() + " with reset, and"
                    + " start it again: nothing of the input was taken yet"));
        }
    }

    /** What is brought is committed together with how far that is; the ends of seeds are written by themselves. */
    private static boolean isAnyBrought(NeardupConfig config, TopicAdmin admin, int coordinators) {
        String way = new TopicNames(config.applicationId()).seeds();
        List<TopicPartition> all = IntStream.range(0, coordinators)
                .mapToObj(coordinator -> new TopicPartition(way, coordinator))
                .toList();
        Map<TopicPartition, Span> there = new HashMap<>();
        Map<TopicPartition, Long> beginnings = admin.beginnings(all);
        admin.committedEnds(all).forEach((coordinator, end) -> {
            long beginning = Objects.requireNonNull(beginnings.get(coordinator), coordinator.toString());
            if (beginning < end) {
                there.put(coordinator, new Span(beginning, end));
            }
        });
        boolean isAnyDeleted = beginnings.values().stream().anyMatch(beginning -> beginning > 0);
        return isAnyDeleted
                || (!there.isEmpty()
                        && new CommittedRecords(StreamsSettings.clients(config), STALLED_SECONDS)
                                .isAny(there, record -> !SeedRecords.isEnd(record.headers())));
    }

    private static SeedPlan plan(NeardupConfig config, TopicAdmin admin, Topics.Setup setup) {
        List<SeedPlan.Topic> topics = new ArrayList<>();
        for (String topic : config.seedTopics()) {
            FoundTopic found = Objects.requireNonNull(setup.topics().get(topic), topic);
            List<TopicPartition> all = IntStream.range(0, found.partitions())
                    .mapToObj(partition -> new TopicPartition(topic, partition))
                    .toList();
            Map<TopicPartition, Long> ends = admin.decidedEnds(all);
            topics.add(new SeedPlan.Topic(
                    topic,
                    found.id(),
                    all.stream()
                            .map(partition -> Objects.requireNonNull(ends.get(partition), partition.toString()))
                            .toList()));
        }
        return new SeedPlan(topics, config.seedJudge());
    }
}
