package io.neardup.streams.topology;

import io.neardup.engine.protocol.DocumentRef;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.store.NodeNames;
import io.neardup.streams.store.StateKeys;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Brings the originals of another index from their changelog to the coordinators of this one, all that concerns one of
 * them to the same coordinator and in order. Where there are as many coordinators they go to the one of the same
 * number, so that later records of their keys come there too.
 *
 * <p>Of an index with seeds it brings the end of each, too, before the first original that came later there. After a
 * start it may bring it again, behind some of these: the first counts.
 */
final class OriginalRelay extends ContextualProcessor<byte[], byte[], Routed, byte[]> {
    private final Seeding seeding;
    private int seedsEnded;

    OriginalRelay(Seeding seeding) {
        this.seeding = seeding;
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        RecordMetadata at = context().recordMetadata().orElseThrow();
        byte[] key = record.key();
        boolean isOriginal = StateKeys.isOriginal(key);
        // What an original is found by is made anew, and a repeat is gone with its original.
        boolean counts = isOriginal || (StateKeys.isRepeated(key) && record.value() != null);
        if (!counts || !seeding.includes(at.topic(), at.partition(), at.offset())) {
            return;
        }
        DocumentRef source = new DocumentRef(at.partition(), StateKeys.lastSequence(key));
        int coordinator = seeding.coordinatorOf(source);
        if (isOriginal) {
            endSeeds(record, source);
        }
        context().forward(PredecessorRecords.change(record, isOriginal, source, coordinator), NodeNames.SEEDS);
    }

    private void endSeeds(Record<byte[], byte[]> next, DocumentRef source) {
        int before = seeding.seedsBefore(source);
        for (; seedsEnded < before; seedsEnded++) {
            String seed = seeding.inherited().get(seedsEnded);
            seeding.coordinatorsOf(source.coordinator()).forEach(coordinator -> context()
                    .forward(SeedRecords.inheritedEnd(next, coordinator, seed), NodeNames.SEEDS));
        }
    }
}
