package io.neardup.service.cluster;

import io.neardup.config.NeardupConfig;
import io.neardup.streams.topology.InternalTopics;
import io.neardup.streams.topology.OutputLimits;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.config.TopicConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the outputs of records can carry, by the settings of their topics. */
final class OutputTopics {
    private static final Logger LOG = LoggerFactory.getLogger(OutputTopics.class);
    private static final String CREATE_TIME = "CreateTime";

    private final TopicAdmin admin;
    private final NeardupConfig config;

    OutputTopics(TopicAdmin admin, NeardupConfig config) {
        this.admin = admin;
        this.config = config;
    }

    OutputLimits.ByOutput limits() {
        Map<String, Config> settings = admin.settings(config.recordTopics());
        warnOfBrokerTime(settings);
        if (!config.writesRecords()) {
            return OutputLimits.ByOutput.NONE;
        }
        return new OutputLimits.ByOutput(
                limits(settings, config.uniqueTopic()),
                limits(settings, config.duplicatesTopic()),
                limits(settings, config.deadLetterTopic()));
    }

    private static void warnOfBrokerTime(Map<String, Config> settings) {
        settings.forEach((topic, found) -> {
            if (!Topics.value(found, TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG).equals(CREATE_TIME)) {
                LOG.warn(
                        "the broker sets the timestamps of topic={}: those of the documents are not kept there", topic);
            }
        });
    }

    private static OutputLimits limits(Map<String, Config> settings, String topic) {
        Config found = Objects.requireNonNull(settings.get(topic), topic);
        long bytes = Math.min(
                Long.parseLong(Topics.value(found, TopicConfig.MAX_MESSAGE_BYTES_CONFIG)),
                InternalTopics.REQUEST_BYTES_MAX);
        boolean ownTimestamps =
                Topics.value(found, TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG).equals(CREATE_TIME);
        return new OutputLimits(
                bytes,
                ownTimestamps
                        ? Long.parseLong(Topics.value(found, TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG))
                        : Long.MAX_VALUE,
                ownTimestamps
                        ? Long.parseLong(Topics.value(found, TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG))
                        : Long.MAX_VALUE,
                Topics.value(found, TopicConfig.CLEANUP_POLICY_CONFIG).contains(TopicConfig.CLEANUP_POLICY_COMPACT));
    }
}
