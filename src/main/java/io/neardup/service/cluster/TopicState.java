package io.neardup.service.cluster;

import io.neardup.service.cluster.ClusterAdmin.FoundTopic;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.TopicConfig;

/**
 * A topic as an operator is told of it.
 *
 * @param replicas of the partition with the fewest; 0 where it is made on trial
 * @param isMadeOnTrial whether it does not exist, and could be made so
 * @param settings empty where this user may not look at them
 * @param notWritable why it takes no writes now, and the fix; empty where it does
 */
public record TopicState(
        String name,
        int partitions,
        int replicas,
        boolean isMadeOnTrial,
        Optional<Config> settings,
        Optional<String> notWritable) {
    /** Empty where there is none, or this user may not look at it. */
    public static Optional<TopicState> of(ClusterAdmin admin, String topic) {
        return ifAllowed(() -> find(admin, topic));
    }

    private static Optional<TopicState> find(ClusterAdmin admin, String topic) {
        FoundTopic found = admin.findNow(List.of(topic)).get(topic);
        if (found == null) {
            return Optional.empty();
        }
        List<TopicPartitionInfo> partitions = Optional.ofNullable(
                        admin.descriptions(List.of(topic)).get(topic))
                .map(TopicDescription::partitions)
                .orElse(List.of());
        // Settings are not among the rights on the input, which is none of ours.
        Optional<Config> settings = ifAllowed(() -> Optional.of(admin.settings(topic)));
        int needed = settings.map(ClusterAdmin::inSyncMin).orElse(1);
        return Optional.of(new TopicState(
                topic,
                found.partitions(),
                partitions.stream()
                        .mapToInt(partition -> partition.replicas().size())
                        .min()
                        .orElse(0),
                admin.isMadeOnTrial(topic),
                settings,
                partitions.stream()
                        .filter(partition -> inSync(partition) < needed)
                        .findFirst()
                        .map(partition -> notWritable(partition, needed))));
    }

    private static <T> Optional<T> ifAllowed(Supplier<Optional<T>> asked) {
        try {
            return asked.get();
        } catch (StartupException e) {
            if (ClusterAdmin.isDenied(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static int inSync(TopicPartitionInfo partition) {
        return partition.leader() == null ? 0 : partition.isr().size();
    }

    private static String notWritable(TopicPartitionInfo partition, int needed) {
        return String.format(
                Locale.ROOT,
                "partition %d: expected %d replicas in sync (min.insync.replicas), found %d of %d; start the brokers"
                        + " that are away, or set min.insync.replicas to fewer",
                partition.partition(),
                needed,
                inSync(partition),
                partition.replicas().size());
    }

    /** What it is made of, in words. */
    @Override
    public String toString() {
        String what = (isMadeOnTrial ? "does not exist yet, and may be made: " : "") + count(partitions, "partition");
        String copies = isMadeOnTrial ? "" : ", " + count(replicas, "replica");
        return what
                + copies
                + settings.map(found -> ", min.insync.replicas " + ClusterAdmin.inSyncMin(found) + ", " + kept(found))
                        .orElse("");
    }

    private static String kept(Config settings) {
        String policy = Topics.value(settings, TopicConfig.CLEANUP_POLICY_CONFIG);
        long millis = Topics.number(settings, TopicConfig.RETENTION_MS_CONFIG);
        boolean isDeleted = policy.contains(TopicConfig.CLEANUP_POLICY_DELETE);
        return "cleanup.policy " + policy
                + (isDeleted ? ", kept " + (millis < 0 ? "for good" : "for " + shown(Duration.ofMillis(millis))) : "");
    }

    private static String shown(Duration time) {
        if (time.toHours() > 0) {
            return time.toDays() > 1 ? count((int) time.toDays(), "day") : count((int) time.toHours(), "hour");
        }
        return time.toMinutes() > 0 ? time.toMinutes() + " min" : time.toMillis() + " ms";
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
