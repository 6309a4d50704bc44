package io.neardup.streams;

import io.neardup.document.DocumentReader;
import io.neardup.protocol.HomeRules;
import io.neardup.protocol.Partitions;
import java.util.function.Supplier;

/**
 * What every home of the service works by.
 *
 * @param reader makes a reader for one thread
 * @param outputLimits what both outputs of documents carry
 * @param pendingMax documents in flight at which a home closes its gate; it opens again at half of it
 * @param pendingBytesMax the same in bytes of their records
 */
record HomeSettings(
        String repliesTopic,
        HomeRules rules,
        Partitions partitions,
        Signing signing,
        Supplier<DocumentReader> reader,
        OutputLimits outputLimits,
        OutputRecords outputs,
        InputGate gate,
        int pendingMax,
        long pendingBytesMax) {}
