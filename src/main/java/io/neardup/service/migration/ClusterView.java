package io.neardup.service.migration;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.ClusterAdmin.FoundTopic;
import io.neardup.service.cluster.CommittedRecords;
import io.neardup.service.cluster.SettingsReader;
import io.neardup.service.cluster.SettingsTopic;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.StoredIndex;
import io.neardup.service.cluster.StreamsSettings;
import io.neardup.service.cluster.Topics;
import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.topology.OutputLimits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;

/**
 * The cluster of a service as commands look at it, whether the service runs or not. Nothing is changed, and no group is
 * joined. Every question is answered within {@value #ANSWER_SECONDS} s, or ends in a {@link StartupException}.
 */
public record ClusterView(NeardupConfig config, ClusterAdmin admin) implements AutoCloseable {
    /** Somebody waits for it. */
    private static final int ANSWER_SECONDS = 10;

    /** Connects with the keys of Kafka's that the service would use, those for security among them. */
    public ClusterView(NeardupConfig config) {
        this(config, ClusterAdmin.open(config).within(ANSWER_SECONDS));
    }

    /**
     * How many partitions each topic has.
     *
     * @throws StartupException that names a topic that does not exist
     */
    public Map<String, Integer> partitions(Collection<String> topics) {
        Map<String, FoundTopic> found = admin.findNow(topics);
        List<String> missing = topics.stream()
                .filter(topic -> !found.containsKey(topic))
                .map(topic -> "topic " + topic
                        + ": expected a topic of the service, found none; it was deleted, it is not written"
                        + " (neardup.outputs), or these are not the settings of the service (--config, --set)")
                .toList();
        StartupException.throwIfAny(missing);
        Map<String, Integer> partitions = new HashMap<>();
        found.forEach((topic, described) -> partitions.put(topic, described.partitions()));
        return partitions;
    }

    /** All partitions of topics, as {@link #partitions} finds them. */
    public List<TopicPartition> partitionsOf(Collection<String> topics) {
        List<TopicPartition> all = new ArrayList<>();
        partitions(topics).forEach((topic, count) -> all.addAll(ClusterAdmin.partitions(topic, count)));
        return all;
    }

    /** Whether all of the topics keep the timestamps that records come with. */
    public boolean keepsTimestamps(Collection<String> topics) {
        return admin.settings(topics).values().stream()
                .map(settings -> Topics.value(settings, TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG))
                .allMatch("CreateTime"::equals);
    }

    /** Those of the topics from which brokers take what has a later record of its key. */
    public Set<String> compacted(Collection<String> topics) {
        return admin.settings(topics).entrySet().stream()
                .filter(topic -> Topics.isCompacted(topic.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What the index was made with; empty where there is no index. */
    public Optional<StoredIndex> index() {
        return new SettingsTopic(config, admin).findIfThere();
    }

    /**
     * What the index was made with.
     *
     * @throws StartupException if there is none
     */
    public StoredIndex requireIndex() {
        return index().orElseThrow(() ->
                new StartupException("application.id " + config.applicationId() + ": expected an index, found none"));
    }

    /** A reader of the settings topic of an index, which has read what is there; empty where that does not exist. */
    public SettingsReader settingsReader(String applicationId) {
        SettingsReader settingsReader = new SettingsReader(config, admin, applicationId);
        if (!admin.findNow(List.of(new TopicNames(applicationId).settings())).isEmpty()) {
            settingsReader.catchUp();
        }
        return settingsReader;
    }

    /** How far the index is with handing its input over. */
    public Cutover cutover() {
        return settingsReader(config.applicationId()).cutover();
    }

    /** Records of partitions, which exist, that the index of these settings has not read, about. */
    public long lag(List<TopicPartition> partitions) {
        return admin.lag(config.applicationId(), admin.committedEnds(partitions)).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Gives all that is committed of a topic; nothing where it does not exist. */
    public void readCommitted(String topic, Consumer<ConsumerRecord<byte[], byte[]>> action) {
        FoundTopic found = admin.findNow(List.of(topic)).get(topic);
        if (found != null) {
            List<TopicPartition> partitions = ClusterAdmin.partitions(topic, found.partitions());
            new CommittedRecords(StreamsSettings.clients(config), ANSWER_SECONDS)
                    .read(Map.of(), admin.committedEnds(partitions), action);
        }
    }

    /** What each topic takes, with room for clocks that differ. */
    public Map<String, OutputLimits> limits(Collection<String> topics) {
        Map<String, OutputLimits> limits = new HashMap<>();
        admin.settings(topics)
                .forEach((topic, settings) ->
                        limits.put(topic, Topics.limits(settings).withMargins()));
        return limits;
    }

    /** A reader of what is committed, as a member of no group. */
    public KafkaConsumer<byte[], byte[]> reader() {
        return reader(Map.of());
    }

    /** A reader of what is committed, which knows the offsets of a group and never joins it. */
    public KafkaConsumer<byte[], byte[]> reader(String group) {
        return reader(Map.of(ConsumerConfig.GROUP_ID_CONFIG, group));
    }

    private KafkaConsumer<byte[], byte[]> reader(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(more);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        return CommittedRecords.consumer(StreamsSettings.clients(config), settings);
    }

    @Override
    public void close() {
        admin.close();
    }
}
