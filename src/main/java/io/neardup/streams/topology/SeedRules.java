package io.neardup.streams.topology;

import io.neardup.config.NeardupConfig;
import io.neardup.config.NeardupConfig.SeedRetention;
import io.neardup.engine.protocol.Origin;
import io.neardup.streams.input.SeedPlan;
import io.neardup.streams.store.TopicNames;

/**
 * How documents of seeds are taken.
 *
 * @param topic that brings them to the coordinators
 * @param judged whether they are compared with each other
 * @param retention what it counts from
 */
record SeedRules(String topic, boolean judged, SeedRetention retention) {
    static SeedRules of(NeardupConfig config, SeedPlan plan) {
        return new SeedRules(new TopicNames(config.applicationId()).seeds(), plan.judged(), config.seedRetention());
    }

    /** The origin of a document; its record may be older than what is retained, but not of the future. */
    Origin origin(Origin ofRecord, long nowMillis) {
        return retention == SeedRetention.RECORD
                ? new Origin(ofRecord.key(), Math.min(ofRecord.timestampMillis(), nowMillis))
                : new Origin(ofRecord.key(), nowMillis);
    }
}
