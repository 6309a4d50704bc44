package io.neardup.app;

import io.neardup.config.NeardupConfig;
import io.neardup.protocol.Ref;
import io.neardup.streams.DedupTopology;
import io.neardup.streams.InternalTopics;
import io.neardup.streams.OutputLimits;
import io.neardup.streams.OutputRecords;
import io.neardup.streams.TopicNames;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topics the service needs: it creates its own and checks all of them, as a wrong one would stall it or lose data
 * without a word. Everything wrong is reported at once.
 */
final class Topics {
    private static final Logger LOG = LoggerFactory.getLogger(Topics.class);

    private static final String CREATE_TIME = "CreateTime";

    private final TopicAdmin admin;
    private final NeardupConfig config;
    private final TopicNames names;
    private final List<String> problems = new ArrayList<>();

    Topics(TopicAdmin admin, NeardupConfig config) {
        this.admin = admin;
        this.config = config;
        this.names = new TopicNames(config.applicationId());
    }

    /**
     * What was found.
     *
     * @param inputPartitions of the input topic with the most
     * @param stateExists whether changelogs exist, so that there was an index before
     */
    record Layout(int inputPartitions, boolean stateExists, DedupTopology.Outputs outputs) {}

    /**
     * Creates what is missing of the service's own topics and checks them all.
     *
     * @throws StartupException with everything that is wrong
     */
    Layout prepare() {
        Map<String, Integer> given = admin.partitions(givenTopics());
        givenTopics().stream().filter(topic -> !given.containsKey(topic)).forEach(this::reportMissing);
        throwProblems();
        int inputPartitions = config.inputTopics().stream()
                .map(given::get)
                .max(Integer::compare)
                .orElseThrow();
        if (inputPartitions > Ref.HOMES_MAX) {
            problems.add("topic " + config.inputTopics() + ": expected at most " + Ref.HOMES_MAX + " partitions, found "
                    + inputPartitions);
        }
        prepareOwn(inputPartitions);
        throwProblems();
        Set<String> changelogs = admin.partitionsNow(names.changelogs()).keySet();
        correctSettings(changelogs);
        return new Layout(inputPartitions, !changelogs.isEmpty(), outputs());
    }

    /** Creates the input and output topics that are missing, with the cluster's defaults but for the partitions. */
    void createGiven(int partitions) {
        Map<String, Integer> given = admin.partitionsNow(givenTopics());
        for (String topic : givenTopics()) {
            if (!given.containsKey(topic)) {
                LOG.info("creating topic={} partitions={}", topic, partitions);
                admin.create(new NewTopic(topic, Optional.of(partitions), replication()));
            }
        }
    }

    private List<String> givenTopics() {
        List<String> topics = new ArrayList<>(config.inputTopics());
        Collections.addAll(topics, config.uniqueTopic(), config.duplicatesTopic(), config.deadLetterTopic());
        return topics;
    }

    private void reportMissing(String topic) {
        problems.add("topic " + topic + " does not exist: create it (kafka-topics.sh --create --topic " + topic
                + " --partitions 4 ...), or start with --create-topics");
    }

    private void throwProblems() {
        if (!problems.isEmpty()) {
            throw new StartupException(problems);
        }
    }

    // ---- topics of the service itself

    private void prepareOwn(int inputPartitions) {
        Map<String, Integer> wanted = new TreeMap<>(Map.of(
                names.lookups(), config.bandPartitions(), names.replies(), inputPartitions, names.settings(), 1));
        Map<String, Integer> found = admin.partitionsNow(wanted.keySet());
        wanted.forEach((topic, partitions) -> {
            if (!found.containsKey(topic)) {
                LOG.info("creating topic={} partitions={}", topic, partitions);
                admin.create(new NewTopic(topic, Optional.of(partitions), replication()).configs(ownSettings(topic)));
            }
        });
        Map<String, Integer> now = found.size() == wanted.size() ? found : admin.partitions(wanted.keySet());
        wanted.forEach((topic, partitions) -> checkPartitions(topic, partitions, now.getOrDefault(topic, partitions)));
        correctSettings(found.keySet());
    }

    private Map<String, String> ownSettings(String topic) {
        Map<String, String> settings = new HashMap<>(InternalTopics.settings(config));
        if (topic.equals(names.settings()) || names.changelogs().contains(topic)) {
            settings.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
        } else {
            settings.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
            settings.put(TopicConfig.RETENTION_MS_CONFIG, "-1");
            settings.put(TopicConfig.RETENTION_BYTES_CONFIG, "-1");
            settings.put(TopicConfig.SEGMENT_BYTES_CONFIG, String.valueOf(InternalTopics.SEGMENT_BYTES));
        }
        return settings;
    }

    private Optional<Short> replication() {
        short factor = Short.parseShort(config.kafka().getOrDefault("replication.factor", "-1"));
        return factor < 0 ? Optional.empty() : Optional.of(factor);
    }

    private void checkPartitions(String topic, int wanted, int found) {
        if (found == wanted) {
            return;
        }
        String reason = topic.equals(names.lookups())
                ? "neardup.bands.partitions is " + wanted
                : topic.equals(names.replies()) ? "the input has " + wanted : "it must be one";
        problems.add(
                "topic " + topic + ": expected " + wanted + " partitions, as " + reason + ", found " + found
                        + "; the number is fixed for the life of an index: restore it, or start anew under another application.id");
    }

    /** A setting that somebody changed on a topic of ours is set right again, with a warning. */
    private void correctSettings(Set<String> topics) {
        admin.settings(topics).forEach((topic, actual) -> {
            Map<String, String> wrong = new TreeMap<>();
            ownSettings(topic).forEach((key, wanted) -> {
                if (!suffices(key, wanted, actual)) {
                    wrong.put(key, wanted);
                }
            });
            if (!wrong.isEmpty()) {
                LOG.warn("setting right topic={} settings={}", topic, wrong);
                admin.change(topic, wrong);
            }
        });
    }

    private static boolean suffices(String key, String wanted, Config actual) {
        String found = value(actual, key);
        return key.equals(TopicConfig.MAX_MESSAGE_BYTES_CONFIG)
                ? Long.parseLong(found) >= Long.parseLong(wanted)
                : found.equals(wanted);
    }

    // ---- outputs

    private DedupTopology.Outputs outputs() {
        Map<String, Config> settings =
                admin.settings(List.of(config.uniqueTopic(), config.duplicatesTopic(), config.deadLetterTopic()));
        OutputLimits unique = limits(settings, config.uniqueTopic());
        warnOfBrokerTime(settings);
        OutputLimits duplicates =
                limits(settings, config.duplicatesTopic()).lessBytes(OutputRecords.DUPLICATE_BYTES_MAX);
        return new DedupTopology.Outputs(unique.and(duplicates), limits(settings, config.deadLetterTopic()));
    }

    private void warnOfBrokerTime(Map<String, Config> settings) {
        settings.forEach((topic, found) -> {
            if (!value(found, TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG).equals(CREATE_TIME)) {
                LOG.warn(
                        "the broker sets the timestamps of topic={}: those of the documents are not kept there", topic);
            }
        });
    }

    private OutputLimits limits(Map<String, Config> settings, String topic) {
        Config found = Objects.requireNonNull(settings.get(topic), topic);
        long bytes = Math.min(
                Long.parseLong(value(found, TopicConfig.MAX_MESSAGE_BYTES_CONFIG)), InternalTopics.REQUEST_BYTES_MAX);
        boolean ownTimestamps =
                value(found, TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG).equals(CREATE_TIME);
        return new OutputLimits(
                bytes,
                ownTimestamps
                        ? Long.parseLong(value(found, TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG))
                        : Long.MAX_VALUE,
                ownTimestamps
                        ? Long.parseLong(value(found, TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG))
                        : Long.MAX_VALUE,
                value(found, TopicConfig.CLEANUP_POLICY_CONFIG).contains(TopicConfig.CLEANUP_POLICY_COMPACT));
    }

    private static String value(Config settings, String key) {
        return Objects.requireNonNull(settings.get(key), key).value();
    }
}
