package io.neardup.streams;

import io.neardup.document.DocumentReader;
import io.neardup.metrics.ServiceCounts;
import io.neardup.protocol.HomeRules;
import io.neardup.protocol.Partitions;
import io.neardup.signing.Signing;
import io.neardup.streams.input.InputGate;
import io.neardup.streams.input.InputGenerations;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What every home of the service works by.
 *
 * @param reader makes a reader for one thread
 * @param outputLimits what the outputs carry
 * @param source of documents, where duplicates are counted by it
 */
record HomeSettings(
        String repliesTopic,
        HomeRules rules,
        Partitions partitions,
        Signing signing,
        Supplier<DocumentReader> reader,
        OutputLimits.ByOutput outputLimits,
        OutputRecords outputs,
        InputGate gate,
        InputGenerations generations,
        ServiceCounts counts,
        Optional<SourcePointer> source) {}
