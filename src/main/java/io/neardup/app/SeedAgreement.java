package io.neardup.app;

import io.neardup.config.NeardupConfig;
import io.neardup.streams.input.SeedPlan;
import io.neardup.streams.input.Seeding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/** What an index is seeded with is settled once, when it is made: which topics, and how far each is read. */
final class SeedAgreement {
    private SeedAgreement() {}

    /**
     * The seeds of an index. Where one homes have not read all, the settings must still name them.
     *
     * @throws StartupException if the settings name others
     */
    static Seeding agree(NeardupConfig config, TopicAdmin admin, SettingsTopic settings, Topics.Setup setup) {
        Optional<SeedPlan> stored = settings.seeds(setup.stateExists(), () -> plan(config, admin, setup));
        SeedPlan plan = stored.orElse(SeedPlan.NONE);
        List<String> given = config.seedTopics();
        if (!given.isEmpty() && !given.equals(plan.names())) {
            throw new StartupException(List.of("neardup.seed.topics: expected "
                    + (plan.names().isEmpty() ? "none" : String.join(",", plan.names()))
                    + ", as the index of application.id " + config.applicationId() + " was begun with that, found "
                    + String.join(",", given)
                    + "; restore the setting, or start anew under another application.id"));
        }
        return new Seeding(plan, setup.inputPartitions(), config.inputTopics());
    }

    private static SeedPlan plan(NeardupConfig config, TopicAdmin admin, Topics.Setup setup) {
        List<SeedPlan.Topic> topics = new ArrayList<>();
        for (String topic : config.seedTopics()) {
            int partitions =
                    Objects.requireNonNull(setup.topics().get(topic), topic).partitions();
            List<TopicPartition> all = IntStream.range(0, partitions)
                    .mapToObj(partition -> new TopicPartition(topic, partition))
                    .toList();
            Map<TopicPartition, Long> ends = admin.decidedEnds(all);
            topics.add(new SeedPlan.Topic(
                    topic,
                    all.stream()
                            .map(partition -> Objects.requireNonNull(ends.get(partition), partition.toString()))
                            .toList()));
        }
        return new SeedPlan(topics);
    }
}
