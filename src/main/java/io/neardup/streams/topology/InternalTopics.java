package io.neardup.streams.topology;

import io.neardup.config.NeardupConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

/** What the topics of the service itself, changelogs included, must be able to carry. */
public final class InternalTopics {
    /**
     * A record here holds a batch of small messages, and at most one document with what goes with it behind them.
     * Composition to NFC can make a text three times as long in UTF-8, and lower case half as long again.
     */
    private static final int GROWTH_MAX = 5;

    private static final int BATCH_BYTES = 1 << 20;

    /**
     * The largest request of a producer here: below what a broker reads, socket.request.max.bytes, 100 MB by default.
     */
    public static final int REQUEST_BYTES_MAX = 64 << 20;

    /** The segments of topics of which only whole ones are purged or compacted; above the largest record. */
    public static final int SEGMENT_BYTES = 64 << 20;

    /**
     * How long a compacted topic, but that of progress, keeps the marker of a removal at the least. Whoever goes on
     * from what it had before and reads only what came after would otherwise bring back what was removed meanwhile.
     */
    public static final Duration DELETE_RETENTION = Duration.ofDays(2);

    private static final int PROGRESS_SEGMENT_BYTES = 16 << 20;
    /** A start reads all of it. A standby that stood still for longer may keep what is over: nothing asks for it. */
    private static final Duration PROGRESS_DELETE_RETENTION = Duration.ofHours(1);

    private InternalTopics() {}

    /** The largest record, in bytes. */
    public static int recordBytesMax(NeardupConfig config) {
        return textBytesMax(config) + BATCH_BYTES;
    }

    /** The largest normalized text, in bytes. */
    static int textBytesMax(NeardupConfig config) {
        return GROWTH_MAX * config.documentBytesMax();
    }

    /** What the compacted ones must have, more than every such topic. */
    public static Map<String, String> compactedSettings(NeardupConfig config) {
        Map<String, String> settings = new HashMap<>(settings(config));
        settings.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
        settings.put(TopicConfig.DELETE_RETENTION_MS_CONFIG, String.valueOf(DELETE_RETENTION.toMillis()));
        return settings;
    }

    /** Of the changelog of stories: only closed segments are compacted, and Kafka closes one only at a gigabyte. */
    public static Map<String, String> storiesSettings(NeardupConfig config) {
        Map<String, String> settings = compactedSettings(config);
        settings.put(TopicConfig.SEGMENT_BYTES_CONFIG, String.valueOf(SEGMENT_BYTES));
        return settings;
    }

    /**
     * Of the changelog of progress, which each start and move of a coordinator reads whole: what is over must leave it
     * soon. Under load 20 and more markers of removals a second come from each coordinator.
     */
    public static Map<String, String> progressSettings(NeardupConfig config) {
        Map<String, String> settings = compactedSettings(config);
        settings.put(TopicConfig.SEGMENT_BYTES_CONFIG, String.valueOf(PROGRESS_SEGMENT_BYTES));
        settings.put(TopicConfig.DELETE_RETENTION_MS_CONFIG, String.valueOf(PROGRESS_DELETE_RETENTION.toMillis()));
        return settings;
    }

    /**
     * Sizes and timestamps that every such topic must accept; those of what is processed may be far ahead of the clock.
     */
    public static Map<String, String> settings(NeardupConfig config) {
        return Map.of(
                TopicConfig.MAX_MESSAGE_BYTES_CONFIG, String.valueOf(recordBytesMax(config)),
                TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "CreateTime",
                TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG, String.valueOf(Long.MAX_VALUE),
                TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG, String.valueOf(Long.MAX_VALUE));
    }
}
