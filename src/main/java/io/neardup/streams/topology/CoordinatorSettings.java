package io.neardup.streams.topology;

import io.neardup.config.NeardupConfig;
import io.neardup.config.NeardupConfig.SeedRetention;
import io.neardup.config.Signing;
import io.neardup.engine.protocol.CoordinatorRules;
import io.neardup.engine.protocol.Origin;
import io.neardup.engine.protocol.Partitions;
import io.neardup.record.DocumentReader;
import io.neardup.streams.input.InputGate;
import io.neardup.streams.input.InputGenerations;
import io.neardup.streams.input.SeedPlan;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.store.TopicNames;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What every coordinator of the service works by.
 *
 * @param reader makes a reader for one thread
 * @param outputLimits what the outputs of records carry
 * @param records where records leave; empty where verdicts alone are written
 * @param verdicts where verdicts are written
 * @param seeds how documents of seeds are taken
 * @param inputTopics what documents come from
 * @param cutover what is known of one, at any time
 * @param source of documents, where duplicates are counted by it
 */
record CoordinatorSettings(
        String repliesTopic,
        CoordinatorRules rules,
        Partitions partitions,
        Signing signing,
        Supplier<DocumentReader> reader,
        OutputLimits.ByOutput outputLimits,
        Optional<OutputRecords> records,
        Optional<VerdictRecords> verdicts,
        InputGate gate,
        InputGenerations generations,
        SeedRules seeds,
        Collection<String> inputTopics,
        Supplier<CutoverOrders> cutover,
        ServiceCounts counts,
        Optional<SourcePointer> source) {
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
}
